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
  // expected-error @+1 {{the target has no rule for 'func.call'}}
  func.call @callee() : () -> ()
  return
}

// -----

// Such ops are taken apart before they come here.
func.func @tile_op(%x: !pl.tensor<[8, 4], f32>, %i: !pl.tensor<[8, 4], i32>) {
  %a = pl.load %x : !pl.tensor<[8, 4], f32>
  %b = pl.load %i : !pl.tensor<[8, 4], i32>
  // expected-error @+1 {{the target has no rule for 'pl.gather'}}
  %g = pl.gather %a[%b] axis 1 : !pl.tile<[8, 4], f32>, !pl.tile<[8, 4], i32>
  pl.store %g, %x : !pl.tile<[8, 4], f32>, !pl.tensor<[8, 4], f32>
  return
}

// -----

func.func @memory_op(%x: !pl.tensor<[8, 4], f32>, %i: !pl.tensor<[8, 4], i32>) {
  %a = pl.load %x : !pl.tensor<[8, 4], f32>
  %b = pl.load %i : !pl.tensor<[8, 4], i32>
  // expected-error @+1 {{the target has no rule for 'pl.scatter_store'}}
  pl.scatter_store %a, %x[%b] : !pl.tile<[8, 4], f32>, !pl.tensor<[8, 4], f32>, !pl.tile<[8, 4], i32>
  return
}

// -----

func.func @foreign_op(%x: !pl.tensor<[8, 4], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 4], f32>
  // expected-error @+1 {{the target has no rule for 'builtin.unrealized_conversion_cast'}}
  %b = builtin.unrealized_conversion_cast %a : !pl.tile<[8, 4], f32> to tensor<8x4xf32>
  return
}

// -----

// What a branch holds is looked at too.
func.func @in_a_branch(%x: !pl.tensor<[8, 4], f32>, %i: !pl.tensor<[8, 4], i32>, %c: i1) {
  scf.if %c {
    %a = pl.load %x : !pl.tensor<[8, 4], f32>
    %b = pl.load %i : !pl.tensor<[8, 4], i32>
    // expected-error @+1 {{the target has no rule for 'pl.scatter_store'}}
    pl.scatter_store %a, %x[%b] : !pl.tile<[8, 4], f32>, !pl.tensor<[8, 4], f32>, !pl.tile<[8, 4], i32>
  }
  return
}

// -----

// What would be left out is refused.
func.func @epilogue(%a: !pl.tensor<[4, 4], f32>, %c: !pl.tensor<[4, 4], f32>) attributes {pl.kind = #pl.kind<entry>} {
  // expected-error @+1 {{has an epilogue, which is not tiled yet}}
  pl.matmul_into %a, %a into %c epilogue {
  ^bb0(%acc: f32):
    %0 = pl.neg %acc : f32
    pl.epilogue_yield %0 : f32
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}
