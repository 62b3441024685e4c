// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --split-input-file --verify-diagnostics

func.func @unbounded(%x: !pl.tensor<[?], f32>) {
  %N = pl.bind "N" %x[0] : !pl.tensor<[?], f32>
  // expected-error @+1 {{has an unbounded result '!pl.tile<[?], f32>', tiles must be bounded here}}
  %a = pl.load %x : !pl.tensor<[?], f32>
  pl.store %a, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// -----

// expected-error @+1 {{a kernel returns nothing, but this one has 1 results}}
func.func @returns(%x: f32) -> f32 {
  return %x : f32
}

// -----

func.func private @callee()

func.func @calls() {
  // expected-error @+1 {{cannot be lowered for the CPU}}
  func.call @callee() : () -> ()
  return
}
