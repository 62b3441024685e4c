// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --canonicalize --cse --split-input-file | FileCheck %s

// Rows that may have gaps are left to where they are traversed.
// CHECK-LABEL: func.func @any_stride
// CHECK-NOT:     llvm.call
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}} : memref<64xf32, strided<[?]>>) outs(%{{.*}} : memref<64xf32, strided<[?]>>)
// CHECK-NOT:     llvm.call
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

// What one store needed to read columns as rows is free for the next: both use the same scratch memory.
// CHECK-LABEL: func.func @reuse
// CHECK:         %[[FRAME:.*]] = llvm.call @tegulaScratchPush(%c256_i64)
// CHECK-COUNT-2: llvm.call @tegulaCopyRows
// CHECK-NOT:     tegulaScratchPush
// CHECK:         return
func.func @reuse(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 8], f32>
  %t = pl.transpose %a [1, 0] : !pl.tile<[8, 8], f32>
  %b = pl.neg %t : !pl.tile<[8, 8], f32>
  pl.store %b, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  %c = pl.load %y : !pl.tensor<[8, 8], f32>
  %u = pl.transpose %c [1, 0] : !pl.tile<[8, 8], f32>
  %d = pl.exp %u : !pl.tile<[8, 8], f32>
  pl.store %d, %x : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}

// -----

// Rows that only become columns are copied.
// CHECK-LABEL: func.func @transpose
// CHECK-NOT:     tegulaScratchPush
// CHECK-NOT:     linalg.generic
// CHECK:         llvm.call @tegulaCopyRows
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @transpose(%x: !pl.tensor<[8, 4], f32>, %y: !pl.tensor<[4, 8], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 4], f32>
  %t = pl.transpose %a [1, 0] : !pl.tile<[8, 4], f32>
  pl.store %t, %y : !pl.tile<[4, 8], f32>, !pl.tensor<[4, 8], f32>
  return
}

// -----

// What a loop adds up is summed where it lies.
// CHECK-LABEL: func.func @sum_in_place
// CHECK:         scf.for
// CHECK:           linalg.generic
// CHECK-SAME:        iterator_types = ["parallel", "reduction"]
// CHECK-NOT:       linalg.generic
// CHECK:         }
// CHECK:         return
func.func @sum_in_place(%x: !pl.tensor<[8, 64], f32>, %y: !pl.tensor<[8, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %start = pl.full %zero, [%c8, %c1] : f32 -> !pl.tile<[8, 1], f32>
  %sum = scf.for %i = %c0 to %c64 step %c16 iter_args(%acc = %start) -> (!pl.tile<[8, 1], f32>) {
    %s = pl.slice %x[%c0, %i] [%c8, %c16] : !pl.tensor<[8, 64], f32> -> !pl.tensor<[8, upto 16], f32>
    %a = pl.load %s : !pl.tensor<[8, upto 16], f32>
    %part = pl.reduce sum %a axis 1 : !pl.tile<[8, upto 16], f32>
    %next = pl.add %acc, %part : !pl.tile<[8, 1], f32>, !pl.tile<[8, 1], f32>
    scf.yield %next : !pl.tile<[8, 1], f32>
  }
  pl.store %sum, %y : !pl.tile<[8, 1], f32>, !pl.tensor<[8, 1], f32>
  return
}

// -----

// The first iteration makes the largest tensor, or it is not known which; of these one takes the place of the other.
// CHECK-LABEL: func.func @made_in_iterations
// CHECK:         scf.parallel
// CHECK:           llvm.call @tegulaScratchAllocate({{.*}}) {tegula.shrinking}
// CHECK:           llvm.call @tegulaScratchAllocate({{.*}}) : (
// CHECK-NOT:       llvm.call @tegulaScratchAllocate(
func.func @made_in_iterations(%x: !pl.tensor<[?, ?], f32>, %n: index) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  pl.parallel %i = %c0 to %M step %c8 independent {
    %left = arith.subi %M, %i : index
    %rows = arith.minsi %left, %c8 : index
    %a = pl.create_tensor [%rows, %N] : !pl.tensor<[upto 8, ?], f32>
    pl.write %one, %a[%c0, %c0] : f32, !pl.tensor<[upto 8, ?], f32>
    %b = pl.create_tensor [%i, %N] : !pl.tensor<[?, ?], f32>
    pl.write %one, %b[%c0, %c0] : f32, !pl.tensor<[?, ?], f32>
    %wraps = arith.subi %n, %i : index
    %c = pl.create_tensor [%wraps, %N] : !pl.tensor<[?, ?], f32>
    pl.write %one, %c[%c0, %c0] : f32, !pl.tensor<[?, ?], f32>
  }
  return
}

// -----

// The inner loop has one iteration and becomes its body: what is the same in all its iterations changes with the outer loop.
// CHECK-LABEL: func.func @made_in_inner_iterations
// CHECK:         llvm.call @tegulaScratchAllocate({{.*}}) {tegula.shrinking}
// CHECK:         llvm.call @tegulaScratchAllocate({{.*}}) : (
// CHECK:         llvm.call @tegulaScratchAllocate({{.*}}) : (
// CHECK:         return
func.func @made_in_inner_iterations(%x: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  pl.parallel %i = %c0 to %M step %c1 independent {
    %grows = arith.addi %i, %c1 : index
    %left = arith.subi %M, %i : index
    pl.parallel %j = %c0 to %c1 step %c1 {
      %less = arith.subi %N, %j : index
      %a = pl.create_tensor [%left, %less] : !pl.tensor<[?, ?], f32>
      pl.write %one, %a[%c0, %c0] : f32, !pl.tensor<[?, ?], f32>
      %b = pl.create_tensor [%grows, %N] : !pl.tensor<[?, ?], f32>
      pl.write %one, %b[%c0, %c0] : f32, !pl.tensor<[?, ?], f32>
    }
    // From M - i - 1 to M - i.
    %last = arith.subi %left, %c1 : index
    %first = arith.maxsi %last, %c0 : index
    pl.parallel %k = %first to %left step %c1 {
      %more = arith.subi %M, %k : index
      %c = pl.create_tensor [%more, %N] : !pl.tensor<[?, ?], f32>
      pl.write %one, %c[%c0, %c0] : f32, !pl.tensor<[?, ?], f32>
    }
  }
  return
}
