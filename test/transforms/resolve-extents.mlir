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
