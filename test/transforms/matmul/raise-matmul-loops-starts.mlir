// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-raise-matmul-loops))' | FileCheck %s

// The loop over the inner axis iterates over columns as well.

// CHECK-LABEL: @keep_diagonal
// CHECK-NOT:   pl.matmul_into
// CHECK:       pl.matmul
func.func @keep_diagonal(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 16], f32>
  %K = pl.bind "K" %a[1], %b[0], %b[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c16 independent {
    %full = pl.full %zero, [%c16, %c16] : f32 -> <[16, 16], f32>
    %init = pl.relax %full : <[16, 16], f32> -> <[upto 16, upto 16], f32>
    %sum = scf.for %k = %c0 to %K step %c16 iter_args(%acc = %init) -> (!pl.tile<[upto 16, upto 16], f32>) {
      %as = pl.slice %a[%i, %k] [%c16, %c16] : <[?, ?], f32> -> <[upto 16, upto 16], f32>
      %bs = pl.slice %b[%k, %k] [%c16, %c16] : <[?, ?], f32> -> <[upto 16, upto 16], f32>
      %at = pl.load %as : <[upto 16, upto 16], f32>
      %bt = pl.load %bs : <[upto 16, upto 16], f32>
      %next = pl.matmul %at, %bt acc %acc : <[upto 16, upto 16], f32>, <[upto 16, upto 16], f32>, !pl.tile<[upto 16, upto 16], f32>
      scf.yield %next : !pl.tile<[upto 16, upto 16], f32>
    }
    %cs = pl.slice %c[%i, %c0] [%c16, %c16] : <[?, 16], f32> -> <[upto 16, 16], f32>
    pl.store %sum, %cs : <[upto 16, upto 16], f32>, <[upto 16, 16], f32>
  }
  return
}

// The sum has no more rows than the zeros that it starts from: these are added.

// CHECK-LABEL: @keep_rows_of_start
// CHECK:       %[[SUM:.*]] = pl.create_tensor
// CHECK:       pl.matmul_into %{{.*}}, %{{.*}} into %[[SUM]]
// CHECK:       %[[START:.*]] = pl.full
// CHECK:       %[[TILE:.*]] = pl.load
// CHECK:       %[[ROWS:.*]] = pl.add %[[TILE]], %[[START]]
// CHECK:       pl.store %[[ROWS]]
func.func @keep_rows_of_start(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, 16], f32>, %c: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 16], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 16], f32>
  %few = arith.minsi %K, %c16 : index
  pl.parallel %i = %c0 to %M step %c16 independent {
    %init = pl.full %zero, [%few, %c16] : f32 -> <[upto 16, 16], f32>
    %sum = scf.for %k = %c0 to %K step %c16 iter_args(%acc = %init) -> (!pl.tile<[upto 16, 16], f32>) {
      %as = pl.slice %a[%i, %k] [%c16, %c16] : <[?, ?], f32> -> <[upto 16, upto 16], f32>
      %bs = pl.slice %b[%k, %c0] [%c16, %c16] : <[?, 16], f32> -> <[upto 16, 16], f32>
      %at = pl.load %as : <[upto 16, upto 16], f32>
      %bt = pl.load %bs : <[upto 16, 16], f32>
      %next = pl.matmul %at, %bt acc %acc : <[upto 16, upto 16], f32>, <[upto 16, 16], f32>, !pl.tile<[upto 16, 16], f32>
      scf.yield %next : !pl.tile<[upto 16, 16], f32>
    }
    %cs = pl.slice %c[%i, %c0] [%c16, %c16] : <[?, 16], f32> -> <[upto 16, 16], f32>
    pl.store %sum, %cs : <[upto 16, 16], f32>, <[upto 16, 16], f32>
  }
  return
}

// Where the inner axis is empty, the sum has all rows that it starts from.

// CHECK-LABEL: @whole_tiles_if_empty
// CHECK:       %[[K:.*]] = pl.bind "K"
// CHECK:       pl.parallel
// CHECK:       %[[TILES:.*]] = arith.ceildivui
// CHECK:       %[[WHOLE:.*]] = arith.muli %[[TILES]]
// CHECK:       %[[EMPTY:.*]] = arith.cmpi eq, %[[K]], %
// CHECK:       %[[LENGTH:.*]] = arith.select %[[EMPTY]], %[[WHOLE]], %
// CHECK:       pl.create_tensor[%[[LENGTH]], %
// CHECK-NOT:   pl.add
// CHECK:       pl.reduce
func.func @whole_tiles_if_empty(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, 16], f32>, %c: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 16], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 16], f32>
  pl.parallel %i = %c0 to %M step %c16 independent {
    %full = pl.full %zero, [%c16, %c16] : f32 -> <[16, 16], f32>
    %init = pl.relax %full : <[16, 16], f32> -> <[upto 16, 16], f32>
    %sum = scf.for %k = %c0 to %K step %c16 iter_args(%acc = %init) -> (!pl.tile<[upto 16, 16], f32>) {
      %as = pl.slice %a[%i, %k] [%c16, %c16] : <[?, ?], f32> -> <[upto 16, upto 16], f32>
      %bs = pl.slice %b[%k, %c0] [%c16, %c16] : <[?, 16], f32> -> <[upto 16, 16], f32>
      %at = pl.load %as : <[upto 16, upto 16], f32>
      %bt = pl.load %bs : <[upto 16, 16], f32>
      %next = pl.matmul %at, %bt acc %acc : <[upto 16, upto 16], f32>, <[upto 16, 16], f32>, !pl.tile<[upto 16, 16], f32>
      scf.yield %next : !pl.tile<[upto 16, 16], f32>
    }
    %total = pl.reduce sum %sum axis 0 : !pl.tile<[upto 16, 16], f32>
    %cs = pl.slice %c[%i, %c0] [%c1, %c16] : <[?, 16], f32> -> <[upto 1, 16], f32>
    pl.store %total, %cs : <[1, 16], f32>, <[upto 1, 16], f32>
  }
  return
}

// It starts from a row more than it has, and not always from a whole step.

// CHECK-LABEL: @keep_longer_start
// CHECK:       arith.ceildivui
// CHECK:       pl.matmul_into
// CHECK:       %[[START:.*]] = pl.full
// CHECK:       %[[TILE:.*]] = pl.load
// CHECK:       %[[SUM:.*]] = pl.add %{{.*}}, %[[START]]
// CHECK:       pl.reduce sum %[[SUM]]
func.func @keep_longer_start(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, 16], f32>, %c: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 16], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 16], f32>
  pl.parallel %i = %c0 to %M step %c16 independent {
    %rest = arith.subi %M, %i : index
    %more = arith.addi %rest, %c1 : index
    %rows = arith.minsi %more, %c16 : index
    %init = pl.full %zero, [%rows, %c16] : f32 -> <[upto 16, 16], f32>
    %sum = scf.for %k = %c0 to %K step %c16 iter_args(%acc = %init) -> (!pl.tile<[upto 16, 16], f32>) {
      %as = pl.slice %a[%i, %k] [%c16, %c16] : <[?, ?], f32> -> <[upto 16, upto 16], f32>
      %bs = pl.slice %b[%k, %c0] [%c16, %c16] : <[?, 16], f32> -> <[upto 16, 16], f32>
      %at = pl.load %as : <[upto 16, upto 16], f32>
      %bt = pl.load %bs : <[upto 16, 16], f32>
      %next = pl.matmul %at, %bt acc %acc : <[upto 16, upto 16], f32>, <[upto 16, 16], f32>, !pl.tile<[upto 16, 16], f32>
      scf.yield %next : !pl.tile<[upto 16, 16], f32>
    }
    %total = pl.reduce sum %sum axis 0 : !pl.tile<[upto 16, 16], f32>
    %cs = pl.slice %c[%i, %c0] [%c1, %c16] : <[?, 16], f32> -> <[upto 1, 16], f32>
    pl.store %total, %cs : <[1, 16], f32>, <[upto 1, 16], f32>
  }
  return
}
