// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --split-input-file --verify-diagnostics --tegula-print-plan="memories=scratchpad:640:64,left:128:64 widen-operands=0" -o /dev/null | FileCheck %s

// A tile that is too large by itself.
func.func @alone(%x: !pl.tensor<[64, 16], f32>, %y: !pl.tensor<[64, 16], f32>) {
  %a = pl.load %x : !pl.tensor<[64, 16], f32>
  // expected-error @+2 {{a tile of 64 x 16 FP32, 4,096 bytes, does not fit the scratchpad of 640 bytes of this machine}}
  // expected-note @+1 {{a tile of 8 x 16 would fit}}
  %e = pl.exp %a : !pl.tile<[64, 16], f32>
  pl.store %e, %y : !pl.tile<[64, 16], f32>, !pl.tensor<[64, 16], f32>
  pl.store %e, %x : !pl.tile<[64, 16], f32>, !pl.tensor<[64, 16], f32>
  return
}

// -----

// Two that do not fit together. What is known of an extent is its bound.
func.func @together(%x: !pl.tensor<[upto 100], f32>, %y: !pl.tensor<[64], f32>) {
  %a = pl.load %x : !pl.tensor<[upto 100], f32>
  %b = pl.load %y : !pl.tensor<[64], f32>
  // expected-error @+2 {{a tile of 100 FP32, 400 bytes, does not fit the scratchpad of 640 bytes of this machine next to 256 bytes that are in use there}}
  // expected-note @+1 {{a tile of 50 would fit}}
  %e = pl.exp %a : !pl.tile<[upto 100], f32>
  // expected-note @+1 {{a tile of 64 FP32, 256 bytes, is there at that time}}
  %f = pl.exp %b : !pl.tile<[64], f32>
  pl.store %e, %x : !pl.tile<[upto 100], f32>, !pl.tensor<[upto 100], f32>
  pl.store %f, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  pl.store %e, %x : !pl.tile<[upto 100], f32>, !pl.tensor<[upto 100], f32>
  pl.store %f, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// Not the memory that is asked for, though the other one has room.
func.func @asked(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  // expected-error @+2 {{a tile of 8 x 8 FP32, 256 bytes, does not fit the left of 128 bytes of this machine}}
  // expected-note @+1 {{a tile of 4 x 8 would fit}}
  %a = pl.load %x {pl.space = #pl.space<left>} : !pl.tensor<[8, 8], f32>
  pl.store %a, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}

// -----

// In program order %c would come behind %b and end at 704; the largest first, all fit.
// CHECK-LABEL: plan of @largest_first
// CHECK-NEXT:   frame of func.func, 640 bytes of scratchpad
// CHECK-NEXT:     scratchpad at 0: 64 bytes of f32, live {{.*}}: %1
// CHECK-NEXT:     scratchpad at 384: 256 bytes of f32, live {{.*}}: %3
// CHECK-NEXT:     scratchpad at 0: 384 bytes of f32, live {{.*}}: %5
func.func @largest_first(%x: !pl.tensor<[16], f32>, %y: !pl.tensor<[64], f32>, %z: !pl.tensor<[96], f32>) {
  %xs = pl.load %x : !pl.tensor<[16], f32>
  %a = pl.exp %xs : !pl.tile<[16], f32>
  %ys = pl.load %y : !pl.tensor<[64], f32>
  %b = pl.exp %ys : !pl.tile<[64], f32>
  pl.store %a, %x : !pl.tile<[16], f32>, !pl.tensor<[16], f32>
  pl.store %a, %x : !pl.tile<[16], f32>, !pl.tensor<[16], f32>
  %zs = pl.load %z : !pl.tensor<[96], f32>
  %c = pl.exp %zs : !pl.tile<[96], f32>
  pl.store %b, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  pl.store %c, %z : !pl.tile<[96], f32>, !pl.tensor<[96], f32>
  pl.store %b, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  pl.store %c, %z : !pl.tile<[96], f32>, !pl.tensor<[96], f32>
  return
}

