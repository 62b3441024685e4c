// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --canonicalize --cse --split-input-file | FileCheck %s

// Rows that are not contiguous are packed, at run time, and results unpacked.
// CHECK-LABEL: func.func @any_stride
// CHECK:         %[[UNIT:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK:         llvm.call @tegulaCopyRows
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}} : memref<64xf32, strided<[1]>>) outs(%{{.*}} : memref<64xf32, strided<[1]>>)
// CHECK:         llvm.call @tegulaCopyRows
func.func @any_stride(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>) {
  %a = pl.load %x : !pl.tensor<[64], f32>
  %b = pl.neg %a : !pl.tile<[64], f32>
  pl.store %b, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// A load whose memory is overwritten before it is read is copied first.
// CHECK-LABEL: func.func @copy_before_write
// CHECK:         linalg.generic
// CHECK:           linalg.yield %in
// CHECK:         linalg.generic
// CHECK:           linalg.yield %cst
// CHECK:         linalg.generic
// CHECK:           arith.negf
func.func @copy_before_write(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>) {
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %a = pl.load %x : !pl.tensor<[64], f32>
  %f = pl.full %one, [%c64] : f32 -> !pl.tile<[64], f32>
  pl.store %f, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  %b = pl.neg %a : !pl.tile<[64], f32>
  pl.store %b, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// A write to other memory is no reason to copy.
// CHECK-LABEL: func.func @keep_in_place
// CHECK:         linalg.generic
// CHECK:           linalg.yield %cst
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK-NOT:     linalg.generic
func.func @keep_in_place(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %z: !pl.tensor<[64], f32>) {
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %a = pl.load %x : !pl.tensor<[64], f32>
  %f = pl.full %one, [%c64] : f32 -> !pl.tile<[64], f32>
  pl.store %f, %z : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  %b = pl.neg %a : !pl.tile<[64], f32>
  pl.store %b, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// In place over the same window needs no copy; over a moved one it does.
// CHECK-LABEL: func.func @in_place
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @in_place(%x: !pl.tensor<[64], f32>) {
  %a = pl.load %x : !pl.tensor<[64], f32>
  %b = pl.neg %a : !pl.tile<[64], f32>
  pl.store %b, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// CHECK-LABEL: func.func @through_a_copy
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK:         llvm.call @tegulaCopyRows
func.func @through_a_copy(%x: !pl.tensor<[64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %s = pl.slice %x[%c0] [%c32] : !pl.tensor<[64], f32> -> !pl.tensor<[32], f32>
  %t = pl.slice %x[%c1] [%c32] : !pl.tensor<[64], f32> -> !pl.tensor<[32], f32>
  %a = pl.load %s : !pl.tensor<[32], f32>
  %b = pl.neg %a : !pl.tile<[32], f32>
  pl.store %b, %t : !pl.tile<[32], f32>, !pl.tensor<[32], f32>
  return
}

// -----

// Offsets that a loop keeps at 0 or above are not checked; others are.
// CHECK-LABEL: func.func @checked_offset
// CHECK:         arith.cmpi slt
// CHECK:         llvm.call @tegulaReportError
func.func @checked_offset(%x: !pl.tensor<[?], f32>, %i: index) {
  %N = pl.bind "N" %x[0] : !pl.tensor<[?], f32>
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %f = pl.full %one, [%c8] : f32 -> !pl.tile<[8], f32>
  %s = pl.slice %x[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
  pl.store %f, %s : !pl.tile<[8], f32>, !pl.tensor<[upto 8], f32>
  return
}

// -----

// CHECK-LABEL: func.func @offset_of_a_loop
// CHECK-NOT:     arith.cmpi slt
// CHECK:         return
func.func @offset_of_a_loop(%x: !pl.tensor<[?], f32>) {
  %N = pl.bind "N" %x[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %f = pl.full %one, [%c8] : f32 -> !pl.tile<[8], f32>
  scf.for %i = %c0 to %N step %c8 {
    %s = pl.slice %x[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    pl.store %f, %s : !pl.tile<[8], f32>, !pl.tensor<[upto 8], f32>
  }
  return
}

// -----

// What one store needed to write strided memory is free for the next: both use the same scratch memory.
// CHECK-LABEL: func.func @reuse
// CHECK:         %[[FRAME:.*]] = llvm.call @tegulaScratchPush(%c512_i64)
// CHECK-COUNT-4: llvm.call @tegulaCopyRows
// CHECK-NOT:     tegulaScratchPush
// CHECK:         return
func.func @reuse(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 8], f32>
  %b = pl.neg %a : !pl.tile<[8, 8], f32>
  pl.store %b, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  %c = pl.load %y : !pl.tensor<[8, 8], f32>
  %d = pl.exp %c : !pl.tile<[8, 8], f32>
  pl.store %d, %x : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}
