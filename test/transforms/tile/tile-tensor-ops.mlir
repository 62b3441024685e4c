// RUN: tegula-opt %s --tegula-tile-tensor-ops="rows=4 columns=8 elements=16 matmul-rows=64 matmul-columns=128 depth=256 largest=4096" --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @one_axis
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?], f32>, %[[Y:.*]]: !pl.tensor<[?], f32>
func.func @one_axis(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  // CHECK:     %[[M:.*]] = pl.bind "M"
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  // CHECK:     pl.parallel %[[I:.*]] = %{{.*}} to %[[M]] step %[[STEP:.*]] {
  // CHECK:       %[[V:.*]] = pl.slice %[[X]][%[[I]]] [%[[STEP]]]
  // CHECK:       %[[T:.*]] = pl.load %[[V]] : <[upto 16], f32>
  // CHECK:       %[[E:.*]] = pl.exp %[[T]]
  // CHECK:       %[[W:.*]] = pl.slice %[[Y]][%[[I]]] [%[[STEP]]]
  // CHECK:       pl.store %[[E]], %[[W]]
  %t = pl.load %x : !pl.tensor<[?], f32>
  %e = pl.exp %t : !pl.tile<[?], f32>
  pl.store %e, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// The sum of a row does not depend on the columns of the result: it is done once per block of rows.

// CHECK-LABEL: @reduction_before_the_column_loop
func.func @reduction_before_the_column_loop(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  // CHECK:     pl.parallel
  // CHECK:       %[[SUM:.*]] = scf.for {{.*}} iter_args
  // CHECK:         pl.reduce  sum
  // CHECK:         scf.yield
  // CHECK:       scf.for
  // CHECK-NOT:     pl.reduce
  // CHECK:         pl.broadcast %[[SUM]]
  // CHECK:         pl.store
  %t = pl.load %x : !pl.tensor<[?, ?], f32>
  %s = pl.reduce sum %t axis 1 : !pl.tile<[?, ?], f32>
  %b = pl.broadcast %s, [%M, %N] : !pl.tile<[?, 1], f32> -> !pl.tile<[?, ?], f32>
  %r = pl.div %t, %b : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %r, %y : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  return
}

// A program of bounded tiles is left alone.

// CHECK-LABEL: @keep_bounded
func.func @keep_bounded(%x: !pl.tensor<[8], f32>, %y: !pl.tensor<[8], f32>) {
  // CHECK-NEXT:  %[[T:.*]] = pl.load %{{.*}} : <[8], f32>
  // CHECK-NEXT:  pl.store %[[T]]
  %t = pl.load %x : !pl.tensor<[8], f32>
  pl.store %t, %y : !pl.tile<[8], f32>, !pl.tensor<[8], f32>
  return
}

// What is read is overwritten before the expression ends: it is kept in memory of its own.

// CHECK-LABEL: @keep_what_was_read
func.func @keep_what_was_read(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  // CHECK:     %[[COPY:.*]] = pl.create_tensor
  // CHECK:     pl.parallel
  // CHECK:     pl.parallel
  // CHECK:     pl.parallel
  // CHECK:       pl.slice %[[COPY]]
  %zero = arith.constant 0.0 : f32
  %t = pl.load %y : !pl.tensor<[?], f32>
  %f = pl.full %zero, [%M] : f32 -> !pl.tile<[?], f32>
  pl.store %f, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  pl.store %t, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// An axis of one element is added whole, and a window of it may lie next to that element.

// CHECK-LABEL: @window_of_an_added_axis
func.func @window_of_an_added_axis(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?], f32>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?], f32>
  // CHECK:     pl.parallel
  // CHECK:       %[[APART:.*]] = pl.reshape {{.*}} : <[upto 1, upto 16], f32> -> <[1, upto 1, upto 16], f32>
  // CHECK:       pl.window %[[APART]]{{.*}} -> <[upto 1, upto 1, upto 16], f32>
  %t = pl.load %x : !pl.tensor<[?, ?], f32>
  %apart = pl.reshape %t, [%c1, %M, %N] : <[?, ?], f32> -> <[1, ?, ?], f32>
  %part = pl.window %apart[%i, %j, %c0] [%c1, %c1, %N] : <[1, ?, ?], f32> -> <[1, 1, ?], f32>
  %row = pl.reshape %part, [%N] : <[1, 1, ?], f32> -> <[?], f32>
  pl.store %row, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}
