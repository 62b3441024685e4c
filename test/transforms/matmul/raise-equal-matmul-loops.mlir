// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-raise-matmul-loops))' | FileCheck %s

// The same product in two loops that carry something: it is computed once.

// CHECK-LABEL: @share_sums
// CHECK:         pl.matmul_into %{{.*}}, %{{.*}} into %[[SUM:.*]] {transpose_rhs}
// CHECK-NOT:     pl.matmul_into
// CHECK:         scf.for
// CHECK:           pl.slice %[[SUM]]
// CHECK:         scf.for
// CHECK:           pl.slice %[[SUM]]
// CHECK-NOT:     pl.matmul
func.func @share_sums(%a: !pl.tensor<[?, 32], f32>, %b: !pl.tensor<[?, 32], f32>, %c: !pl.tensor<[?, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 32], f32>, !pl.tensor<[?, 1], f32>
  %N = pl.bind "N" %b[0] : !pl.tensor<[?, 32], f32>
  scf.for %i = %c0 to %M step %c32 {
    %as = pl.slice %a[%i, %c0] [%c32, %c32] : <[?, 32], f32> -> <[upto 32, 32], f32>
    %at = pl.load %as : <[upto 32, 32], f32>
    %m = pl.dim %as[0] : !pl.tensor<[upto 32, 32], f32>
    %start = pl.full %zero, [%m, %c1] : f32 -> <[upto 32, 1], f32>
    %most = scf.for %j = %c0 to %N step %c32 iter_args(%r = %start) -> (!pl.tile<[upto 32, 1], f32>) {
      %bs = pl.slice %b[%j, %c0] [%c32, %c32] : <[?, 32], f32> -> <[upto 32, 32], f32>
      %bt = pl.load %bs : <[upto 32, 32], f32>
      %p = pl.matmul %at, %bt {transpose_rhs} : <[upto 32, 32], f32>, <[upto 32, 32], f32>
      %x = pl.reduce max %p axis 1 : <[upto 32, upto 32], f32>
      %n = pl.maximum %r, %x : !pl.tile<[upto 32, 1], f32>, !pl.tile<[upto 32, 1], f32>
      scf.yield %n : !pl.tile<[upto 32, 1], f32>
    }
    %all = scf.for %j = %c0 to %N step %c16 iter_args(%r = %most) -> (!pl.tile<[upto 32, 1], f32>) {
      %bs = pl.slice %b[%j, %c0] [%c16, %c32] : <[?, 32], f32> -> <[upto 16, 32], f32>
      %bt = pl.load %bs : <[upto 16, 32], f32>
      %p = pl.matmul %at, %bt {transpose_rhs} : <[upto 32, 32], f32>, <[upto 16, 32], f32>
      %x = pl.reduce sum %p axis 1 : <[upto 32, upto 16], f32>
      %n = pl.add %r, %x : !pl.tile<[upto 32, 1], f32>, !pl.tile<[upto 32, 1], f32>
      scf.yield %n : !pl.tile<[upto 32, 1], f32>
    }
    %cs = pl.slice %c[%i, %c0] [%c32, %c1] : <[?, 1], f32> -> <[upto 32, 1], f32>
    pl.store %all, %cs : <[upto 32, 1], f32>, <[upto 32, 1], f32>
  }
  return
}
