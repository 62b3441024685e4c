// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-tile-tensor-ops{rows=16 columns=64 elements=64 matmul-rows=8 matmul-columns=16 depth=32 largest=4096 whole-matmuls}, tegula-resolve-extents, tegula-simplify))' | FileCheck %s

// All that one op can compute is stored before it is reduced.

// CHECK-LABEL: @reduced
// CHECK:         %[[H:.*]] = pl.create_tensor
// CHECK:         pl.matmul_into %arg0, %arg1 into %[[H]] epilogue {
// CHECK:           pl.abs
// CHECK:         }
// CHECK-NOT:     pl.matmul
// CHECK:         pl.slice %[[H]]
// CHECK:         pl.reduce
func.func @reduced(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 1], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 1], f32>
  %at = pl.load %a : <[?, 8], f32>
  %bt = pl.load %b : <[8, 8], f32>
  %p = pl.matmul %at, %bt : <[?, 8], f32>, <[8, 8], f32>
  %q = pl.abs %p : !pl.tile<[?, 8], f32>
  %r = pl.reduce max %q axis 1 : !pl.tile<[?, 8], f32>
  pl.store %r, %c : <[?, 1], f32>, <[?, 1], f32>
  return
}

// Elements move after they were added to, and before others are.

// CHECK-LABEL: @moved
// CHECK:         %[[H:.*]] = pl.create_tensor
// CHECK:         pl.matmul_into %arg0, %arg1 into %[[H]] epilogue {
// CHECK:           pl.abs
// CHECK:         }
// CHECK-NOT:     pl.matmul
// CHECK:         pl.transpose
// CHECK:         pl.neg
func.func @moved(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[8, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[1] : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, ?], f32>
  %at = pl.load %a : <[?, 8], f32>
  %bt = pl.load %b : <[8, 8], f32>
  %p = pl.matmul %at, %bt : <[?, 8], f32>, <[8, 8], f32>
  %q = pl.abs %p : !pl.tile<[?, 8], f32>
  %t = pl.transpose %q [1, 0] : <[?, 8], f32>
  %r = pl.neg %t : !pl.tile<[8, ?], f32>
  pl.store %r, %c : <[8, ?], f32>, <[8, ?], f32>
  return
}

// An operand is written between the matmul and its reader: what it was is
// multiplied.

// CHECK-LABEL: @written_after
// CHECK:         %[[H:.*]] = pl.create_tensor
// CHECK:         pl.matmul_into %arg0, %arg1 into %[[H]] epilogue {
// CHECK:         pl.store
// CHECK:         pl.reduce
func.func @written_after(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 1], f32>) {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 1], f32>
  %at = pl.load %a : <[?, 8], f32>
  %bt = pl.load %b : <[8, 8], f32>
  %p = pl.matmul %at, %bt : <[?, 8], f32>, <[8, 8], f32>
  %q = pl.abs %p : !pl.tile<[?, 8], f32>
  %none = pl.full %zero, [%c8, %c8] : f32 -> <[8, 8], f32>
  pl.store %none, %b : <[8, 8], f32>, <[8, 8], f32>
  %r = pl.reduce max %q axis 1 : !pl.tile<[?, 8], f32>
  pl.store %r, %c : <[?, 1], f32>, <[?, 1], f32>
  return
}
