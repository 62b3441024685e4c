// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-raise-matmul-loops))' | FileCheck %s

// CHECK-LABEL: @author_tiles
// CHECK-SAME:    %[[A:.*]]: !pl.tensor<[?, ?], f32>, %[[B:.*]]: !pl.tensor<[?, ?], f32>, %[[C:.*]]: !pl.tensor<[?, ?], f32>
func.func @author_tiles(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  // CHECK-NOT: pl.parallel
  // CHECK:     pl.matmul_into %[[A]], %[[B]] into %[[C]]
  // CHECK-NOT: pl.matmul
  // CHECK:     return
  pl.parallel %i = %c0 to %M step %c64 independent {
    scf.for %j = %c0 to %N step %c32 {
      pl.at core_group {
        %full = pl.full %zero, [%c64, %c32] : f32 -> <[64, 32], f32>
        %init = pl.relax %full : <[64, 32], f32> -> <[upto 64, upto 32], f32>
        %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %init) -> (!pl.tile<[upto 64, upto 32], f32>) {
          %as = pl.slice %a[%i, %k] [%c64, %c32] : <[?, ?], f32> -> <[upto 64, upto 32], f32>
          %bs = pl.slice %b[%k, %j] [%c32, %c32] : <[?, ?], f32> -> <[upto 32, upto 32], f32>
          %at = pl.load %as : <[upto 64, upto 32], f32>
          %bt = pl.load %bs : <[upto 32, upto 32], f32>
          %next = pl.matmul %at, %bt acc %acc : <[upto 64, upto 32], f32>, <[upto 32, upto 32], f32>, !pl.tile<[upto 64, upto 32], f32>
          scf.yield %next : !pl.tile<[upto 64, upto 32], f32>
        }
        %cs = pl.slice %c[%i, %j] [%c64, %c32] : <[?, ?], f32> -> <[upto 64, upto 32], f32>
        pl.store %sum, %cs : <[upto 64, upto 32], f32>, <[upto 64, upto 32], f32>
      }
    }
  }
  return
}

// Rows of every second tile only.

// CHECK-LABEL: @keep_gaps
// CHECK-NOT:   pl.matmul_into
// CHECK:       pl.matmul
func.func @keep_gaps(%a: !pl.tensor<[?, 32], f32>, %b: !pl.tensor<[32, 32], f32>, %c: !pl.tensor<[?, 32], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 32], f32>, !pl.tensor<[?, 32], f32>
  scf.for %i = %c0 to %M step %c64 {
    %as = pl.slice %a[%i, %c0] [%c32, %c32] : <[?, 32], f32> -> <[upto 32, 32], f32>
    %at = pl.load %as : <[upto 32, 32], f32>
    %bt = pl.load %b : <[32, 32], f32>
    %p = pl.matmul %at, %bt : <[upto 32, 32], f32>, <[32, 32], f32>
    %cs = pl.slice %c[%i, %c0] [%c32, %c32] : <[?, 32], f32> -> <[upto 32, 32], f32>
    pl.store %p, %cs : <[upto 32, 32], f32>, <[upto 32, 32], f32>
  }
  return
}

// The rows of the factor and those of the result need not be equally many, so
// it is still stored tile by tile.

// CHECK-LABEL: @sums_in_memory
// CHECK-SAME:    %[[A:.*]]: !pl.tensor<[?, 32], f32>, %[[B:.*]]: !pl.tensor<[32, 32], f32>, %[[C:.*]]: !pl.tensor<[?, 32], f32>
// CHECK:         scf.for %[[BLOCK:.*]] = %c0{{.*}} to %[[M:.*]] step
// CHECK:           %[[END:.*]] = arith.minsi
// CHECK:           %[[SUM:.*]] = pl.create_tensor
// CHECK:           %[[ROWS:.*]] = pl.slice %[[A]][%[[BLOCK]], %{{.*}}]
// CHECK:           pl.matmul_into %[[ROWS]], %[[B]] into %[[SUM]]
// CHECK:           scf.for %[[I:.*]] = %[[BLOCK]] to %[[END]]
// CHECK-NOT:         pl.load
// CHECK:             %[[ROW:.*]] = arith.subi %[[I]], %[[BLOCK]]
// CHECK:             %[[WINDOW:.*]] = pl.slice %[[SUM]][%[[ROW]],
// CHECK:             %[[TILE:.*]] = pl.load %[[WINDOW]]
// CHECK:             pl.store %[[TILE]]
func.func @sums_in_memory(%a: !pl.tensor<[?, 32], f32>, %b: !pl.tensor<[32, 32], f32>, %c: !pl.tensor<[?, 32], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %M = pl.bind "M" %a[0] : !pl.tensor<[?, 32], f32>
  scf.for %i = %c0 to %M step %c32 {
    %as = pl.slice %a[%i, %c0] [%c32, %c32] : <[?, 32], f32> -> <[upto 32, 32], f32>
    %at = pl.load %as : <[upto 32, 32], f32>
    %bt = pl.load %b : <[32, 32], f32>
    %p = pl.matmul %at, %bt : <[upto 32, 32], f32>, <[32, 32], f32>
    %cs = pl.slice %c[%i, %c0] [%c32, %c32] : <[?, 32], f32> -> <[upto 32, 32], f32>
    pl.store %p, %cs : <[upto 32, 32], f32>, <[upto 32, 32], f32>
  }
  return
}

// What is written is read by later tiles.

// CHECK-LABEL: @keep_in_place
// CHECK-NOT:   pl.matmul_into
// CHECK:       pl.matmul
func.func @keep_in_place(%b: !pl.tensor<[32, 32], f32>, %c: !pl.tensor<[?, 32], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %M = pl.bind "M" %c[0] : !pl.tensor<[?, 32], f32>
  scf.for %i = %c0 to %M step %c32 {
    %cs = pl.slice %c[%i, %c0] [%c32, %c32] : <[?, 32], f32> -> <[upto 32, 32], f32>
    %at = pl.load %cs : <[upto 32, 32], f32>
    %bt = pl.load %b : <[32, 32], f32>
    %p = pl.matmul %at, %bt : <[upto 32, 32], f32>, <[32, 32], f32>
    pl.store %p, %cs : <[upto 32, 32], f32>, <[upto 32, 32], f32>
  }
  return
}
