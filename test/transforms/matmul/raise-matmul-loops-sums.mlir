// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-raise-matmul-loops))' | FileCheck %s

// Matmuls are added to a sum that says how long it is, and how long it becomes.

// CHECK-LABEL: @added
// CHECK-SAME:    %[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: {{.*}})
// CHECK-NOT:     scf.for
// CHECK:         pl.matmul_into %[[A]], %[[B]] into %[[C]] :
// CHECK-NOT:     pl.matmul
func.func @added(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %M step %c32 independent {
    %0 = pl.full %zero, [%c32, %N] : f32 -> <[32, ?], f32>
    %1 = pl.relax %0 : <[32, ?], f32> -> <[upto 32, ?], f32>
    %2:2 = scf.for %k = %c0 to %K step %c16 iter_args(%sum = %1, %rows = %c32) -> (!pl.tile<[upto 32, ?], f32>, index) {
      %6 = arith.minsi %rows, %c32 : index
      %7 = pl.with_extents %sum[%6, %N] : !pl.tile<[upto 32, ?], f32>
      %8 = pl.slice %a[%i, %k] [%c32, %c16] : <[?, ?], f32> -> <[upto 32, upto 16], f32>
      %9 = pl.slice %b[%k, %c0] [%c16, %N] : <[?, ?], f32> -> <[upto 16, ?], f32>
      %10 = pl.load %8 : <[upto 32, upto 16], f32>
      %11 = pl.load %9 : <[upto 16, ?], f32>
      %12 = pl.matmul %10, %11 : <[upto 32, upto 16], f32>, <[upto 16, ?], f32>
      %13 = pl.add %12, %7 : !pl.tile<[upto 32, ?], f32>, !pl.tile<[upto 32, ?], f32>
      %14 = arith.subi %M, %i : index
      %15 = arith.minsi %14, %c32 : index
      %16 = arith.minsi %6, %15 : index
      scf.yield %13, %16 : !pl.tile<[upto 32, ?], f32>, index
    }
    %3 = arith.minsi %2#1, %c32 : index
    %4 = pl.with_extents %2#0[%3, %N] : !pl.tile<[upto 32, ?], f32>
    %5 = pl.slice %c[%i, %c0] [%c32, %N] : <[?, ?], f32> -> <[upto 32, ?], f32>
    pl.store %4, %5 : <[upto 32, ?], f32>, <[upto 32, ?], f32>
  }
  return
}

// A loop that only says how long the sum becomes is left, where that is used.

// CHECK-LABEL: @reduced
// CHECK-SAME:    %[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: {{.*}})
// CHECK:         %[[SUM:.*]] = pl.create_tensor
// CHECK:         pl.matmul_into %{{.*}}, %[[B]] into %[[SUM]] precision tf32 :
// CHECK:         %[[LENGTH:.*]] = scf.for {{.*}} -> (index)
// CHECK-NOT:     pl.matmul
// CHECK:         %[[MOST:.*]] = arith.minsi %[[LENGTH]],
// CHECK:         pl.with_extents %{{.*}}[%[[MOST]],
// CHECK:         pl.reduce
func.func @reduced(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, 1], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1] : !pl.tensor<[?, ?], f32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %M step %c32 independent {
    %0 = pl.full %zero, [%c32, %N] : f32 -> <[32, ?], f32>
    %1 = pl.relax %0 : <[32, ?], f32> -> <[upto 32, ?], f32>
    %2:2 = scf.for %k = %c0 to %K step %c16 iter_args(%sum = %1, %rows = %c32) -> (!pl.tile<[upto 32, ?], f32>, index) {
      %6 = arith.minsi %rows, %c32 : index
      %7 = pl.with_extents %sum[%6, %N] : !pl.tile<[upto 32, ?], f32>
      %8 = pl.slice %a[%i, %k] [%c32, %c16] : <[?, ?], f32> -> <[upto 32, upto 16], f32>
      %9 = pl.slice %b[%k, %c0] [%c16, %N] : <[?, ?], f32> -> <[upto 16, ?], f32>
      %10 = pl.load %8 : <[upto 32, upto 16], f32>
      %11 = pl.load %9 : <[upto 16, ?], f32>
      %12 = pl.matmul %10, %11 acc %7 precision tf32 : <[upto 32, upto 16], f32>, <[upto 16, ?], f32>, !pl.tile<[upto 32, ?], f32>
      %14 = arith.subi %M, %i : index
      %15 = arith.minsi %14, %rows : index
      scf.yield %12, %15 : !pl.tile<[upto 32, ?], f32>, index
    }
    %3 = arith.minsi %2#1, %c32 : index
    %4 = pl.with_extents %2#0[%3, %N] : !pl.tile<[upto 32, ?], f32>
    %5 = pl.reduce sum %4 axis 1 : <[upto 32, ?], f32>
    %6 = pl.slice %c[%i, %c0] [%c32, %c1] : <[?, 1], f32> -> <[upto 32, 1], f32>
    pl.store %5, %6 : <[upto 32, 1], f32>, <[upto 32, 1], f32>
  }
  return
}

// The sum has fewer rows in every iteration.

// CHECK-LABEL: @keep_shorter
// CHECK-NOT:     pl.matmul_into
// CHECK:         pl.matmul
func.func @keep_shorter(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %M step %c32 independent {
    %0 = pl.full %zero, [%c32, %N] : f32 -> <[32, ?], f32>
    %1 = pl.relax %0 : <[32, ?], f32> -> <[upto 32, ?], f32>
    %2:2 = scf.for %k = %c0 to %K step %c16 iter_args(%sum = %1, %rows = %c32) -> (!pl.tile<[upto 32, ?], f32>, index) {
      %6 = arith.minsi %rows, %c32 : index
      %7 = pl.with_extents %sum[%6, %N] : !pl.tile<[upto 32, ?], f32>
      %8 = pl.slice %a[%i, %k] [%c32, %c16] : <[?, ?], f32> -> <[upto 32, upto 16], f32>
      %9 = pl.slice %b[%k, %c0] [%c16, %N] : <[?, ?], f32> -> <[upto 16, ?], f32>
      %10 = pl.load %8 : <[upto 32, upto 16], f32>
      %11 = pl.load %9 : <[upto 16, ?], f32>
      %12 = pl.matmul %10, %11 acc %7 : <[upto 32, upto 16], f32>, <[upto 16, ?], f32>, !pl.tile<[upto 32, ?], f32>
      %13 = arith.subi %rows, %c1 : index
      scf.yield %12, %13 : !pl.tile<[upto 32, ?], f32>, index
    }
    %5 = pl.slice %c[%i, %c0] [%c32, %N] : <[?, ?], f32> -> <[upto 32, ?], f32>
    pl.store %2#0, %5 : <[upto 32, ?], f32>, <[upto 32, ?], f32>
  }
  return
}
