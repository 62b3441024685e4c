// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-resolve-extents --split-input-file | FileCheck %s

// Through a chain of ops to the symbol.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[M:.*]] = pl.bind "M"
// CHECK-NOT:     pl.dim
// CHECK:         return %[[M]]
func.func @chain(%x: !pl.tensor<[?], f32>) -> index {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %t = pl.load %x : !pl.tensor<[?], f32>
  %e = pl.exp %t : !pl.tile<[?], f32>
  %f = pl.neg %e : !pl.tile<[?], f32>
  %n = pl.dim %f[0] : !pl.tile<[?], f32>
  return %n : index
}

// -----

// Of two extents, the least.
// CHECK-LABEL: func.func @two
// CHECK:         %[[M:.*]] = pl.bind "M"
// CHECK:         %[[N:.*]] = pl.bind "N"
// CHECK:         %[[LEAST:.*]] = arith.minsi %[[M]], %[[N]]
// CHECK:         return %[[LEAST]]
func.func @two(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) -> index {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %N = pl.bind "N" %y[0] : !pl.tensor<[?], f32>
  %t = pl.load %x : !pl.tensor<[?], f32>
  %u = pl.load %y : !pl.tensor<[?], f32>
  %s = pl.add %t, %u : !pl.tile<[?], f32>, !pl.tile<[?], f32>
  %n = pl.dim %s[0] : !pl.tile<[?], f32>
  return %n : index
}

// -----

// Rows that are reduced have no bound on the way: however many extents they
// meet, all are named.
// CHECK-LABEL: func.func @reduced_rows
// CHECK:         %[[ROWS:.*]] = pl.slice
// CHECK:         pl.reduce
// CHECK:         pl.dim %[[ROWS]][0]
// CHECK-COUNT-8: arith.minsi
// CHECK:         return
func.func @reduced_rows(%x: !pl.tensor<[?, ?], f32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %few = arith.minsi %n, %c4 : index
  %v = pl.slice %x[%n, %c0] [%c4, %N] : <[?, ?], f32> -> <[upto 4, ?], f32>
  %t = pl.load %v : <[upto 4, ?], f32>
  %r0 = pl.reduce sum %t axis 1 : !pl.tile<[upto 4, ?], f32>
  %f1 = pl.full %one, [%few, %c1] : f32 -> <[upto 4, 1], f32>
  %r1 = pl.add %r0, %f1 : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
  %f2 = pl.full %one, [%few, %c1] : f32 -> <[upto 4, 1], f32>
  %r2 = pl.add %r1, %f2 : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
  %f3 = pl.full %one, [%few, %c1] : f32 -> <[upto 4, 1], f32>
  %r3 = pl.add %r2, %f3 : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
  %f4 = pl.full %one, [%few, %c1] : f32 -> <[upto 4, 1], f32>
  %r4 = pl.add %r3, %f4 : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
  %f5 = pl.full %one, [%few, %c1] : f32 -> <[upto 4, 1], f32>
  %r5 = pl.add %r4, %f5 : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
  %f6 = pl.full %one, [%few, %c1] : f32 -> <[upto 4, 1], f32>
  %r6 = pl.add %r5, %f6 : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
  %f7 = pl.full %one, [%few, %c1] : f32 -> <[upto 4, 1], f32>
  %r7 = pl.add %r6, %f7 : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
  %f8 = pl.full %one, [%few, %c1] : f32 -> <[upto 4, 1], f32>
  %r8 = pl.add %r7, %f8 : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
  %rows = pl.dim %r8[0] : !pl.tile<[upto 4, 1], f32>
  return %rows : index
}
