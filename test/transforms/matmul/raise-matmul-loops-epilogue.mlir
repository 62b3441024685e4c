// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-raise-matmul-loops))' | FileCheck %s

// Windows of the bias and of the target move with the tiles.

// CHECK-LABEL: @elementwise
// CHECK-SAME:    %[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[V:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: {{.*}}, %[[S:[a-z0-9]+]]: f32
// CHECK-NOT:     scf.for
// CHECK:         pl.matmul_into %[[A]], %[[B]] into %[[C]] with %[[V]], %[[C]] : {{.*}} epilogue {
// CHECK-NEXT:    ^bb0(%[[ACC:.*]]: f32, %[[X:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK-NEXT:      %[[R0:.*]] = pl.add %[[ACC]], %[[X]]
// CHECK-NEXT:      %[[R1:.*]] = pl.maximum %[[R0]], %[[S]]
// CHECK-NEXT:      %[[R2:.*]] = pl.add %[[R1]], %[[OLD]]
// CHECK-NEXT:      pl.epilogue_yield %[[R2]]
func.func @elementwise(%a: !pl.tensor<[?, 16], f32>, %b: !pl.tensor<[16, ?], f32>, %v: !pl.tensor<[1, ?], f32>, %c: !pl.tensor<[?, ?], f32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 16], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %v[1], %c[1] : !pl.tensor<[16, ?], f32>, !pl.tensor<[1, ?], f32>, !pl.tensor<[?, ?], f32>
  scf.for %i = %c0 to %M step %c32 {
    scf.for %j = %c0 to %N step %c32 {
      %as = pl.slice %a[%i, %c0] [%c32, %c16] : <[?, 16], f32> -> <[upto 32, 16], f32>
      %at = pl.load %as : <[upto 32, 16], f32>
      %bs = pl.slice %b[%c0, %j] [%c16, %c32] : <[16, ?], f32> -> <[16, upto 32], f32>
      %bt = pl.load %bs : <[16, upto 32], f32>
      %p = pl.matmul %at, %bt : <[upto 32, 16], f32>, <[16, upto 32], f32>
      %vs = pl.slice %v[%c0, %j] [%c1, %c32] : <[1, ?], f32> -> <[1, upto 32], f32>
      %vt = pl.load %vs : <[1, upto 32], f32>
      %w = pl.broadcast %vt, [%c32, %c32] : <[1, upto 32], f32> -> <[32, upto 32], f32>
      %ww = pl.relax %w : <[32, upto 32], f32> -> <[upto 32, upto 32], f32>
      %r0 = pl.add %p, %ww : !pl.tile<[upto 32, upto 32], f32>, !pl.tile<[upto 32, upto 32], f32>
      %full = pl.full %s, [%c32, %c32] : f32 -> <[32, 32], f32>
      %low = pl.relax %full : <[32, 32], f32> -> <[upto 32, upto 32], f32>
      %r1 = pl.maximum %r0, %low : !pl.tile<[upto 32, upto 32], f32>, !pl.tile<[upto 32, upto 32], f32>
      %cs = pl.slice %c[%i, %j] [%c32, %c32] : <[?, ?], f32> -> <[upto 32, upto 32], f32>
      %old = pl.load %cs : <[upto 32, upto 32], f32>
      %r2 = pl.add %r1, %old : !pl.tile<[upto 32, upto 32], f32>, !pl.tile<[upto 32, upto 32], f32>
      pl.store %r2, %cs : <[upto 32, upto 32], f32>, <[upto 32, upto 32], f32>
    }
  }
  return
}

// What is filled has fewer rows than the tile: the others are not stored.

// CHECK-LABEL: @keep_short
// CHECK:         scf.for
// CHECK:           pl.store
func.func @keep_short(%a: !pl.tensor<[?, 16], f32>, %b: !pl.tensor<[16, 16], f32>, %c: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 16], f32>, !pl.tensor<[?, 16], f32>
  scf.for %i = %c0 to %M step %c32 {
    %as = pl.slice %a[%i, %c0] [%c32, %c16] : <[?, 16], f32> -> <[upto 32, 16], f32>
    %at = pl.load %as : <[upto 32, 16], f32>
    %bt = pl.load %b : <[16, 16], f32>
    %p = pl.matmul %at, %bt : <[upto 32, 16], f32>, <[16, 16], f32>
    %full = pl.full %zero, [%c8, %c16] : f32 -> <[8, 16], f32>
    %low = pl.relax %full : <[8, 16], f32> -> <[upto 32, 16], f32>
    %r = pl.maximum %p, %low : !pl.tile<[upto 32, 16], f32>, !pl.tile<[upto 32, 16], f32>
    %cs = pl.slice %c[%i, %c0] [%c32, %c16] : <[?, 16], f32> -> <[upto 32, 16], f32>
    pl.store %r, %cs : <[upto 32, 16], f32>, <[upto 32, 16], f32>
  }
  return
}

// Each tile reads the first rows of the target, which the first one writes.

// CHECK-LABEL: @keep_other_window
// CHECK:         scf.for
// CHECK:           pl.store
func.func @keep_other_window(%a: !pl.tensor<[?, 16], f32>, %b: !pl.tensor<[16, 16], f32>, %c: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 16], f32>, !pl.tensor<[?, 16], f32>
  scf.for %i = %c0 to %M step %c32 {
    %as = pl.slice %a[%i, %c0] [%c32, %c16] : <[?, 16], f32> -> <[upto 32, 16], f32>
    %at = pl.load %as : <[upto 32, 16], f32>
    %bt = pl.load %b : <[16, 16], f32>
    %p = pl.matmul %at, %bt : <[upto 32, 16], f32>, <[16, 16], f32>
    %first = pl.slice %c[%c0, %c0] [%c32, %c16] : <[?, 16], f32> -> <[upto 32, 16], f32>
    %ft = pl.load %first : <[upto 32, 16], f32>
    %r = pl.add %p, %ft : !pl.tile<[upto 32, 16], f32>, !pl.tile<[upto 32, 16], f32>
    %cs = pl.slice %c[%i, %c0] [%c32, %c16] : <[?, 16], f32> -> <[upto 32, 16], f32>
    pl.store %r, %cs : <[upto 32, 16], f32>, <[upto 32, 16], f32>
  }
  return
}
