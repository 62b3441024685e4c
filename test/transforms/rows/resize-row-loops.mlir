// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-resize-row-loops --split-input-file | FileCheck %s

// As many rows as 4096 elements are, from 1 to 128; as 1024 are where there are very many.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[M:.*]] = pl.bind "M"
// CHECK:         %[[N:.*]] = pl.bind "N"
// CHECK:         %[[LENGTH:.*]] = arith.maxsi %[[N]], %c1
// CHECK:         %[[ELEMENTS:.*]] = arith.muli %[[M]], %[[LENGTH]]
// CHECK:         %[[FAR:.*]] = arith.cmpi sge, %[[ELEMENTS]], %c1048576
// CHECK:         %[[ONCE:.*]] = arith.select %[[FAR]], %c1024{{.*}}, %c4096
// CHECK:         %[[ALL:.*]] = arith.divsi %[[ONCE]], %[[LENGTH]]
// CHECK:         %[[MOST:.*]] = arith.minsi %[[ALL]], %c128
// CHECK:         %[[ROWS:.*]] = arith.maxsi %[[MOST]], %c1
// CHECK:         pl.parallel %[[I:.*]] = %c0 to %[[M]] step %[[ROWS]] {
// CHECK:           pl.slice %{{.*}}[%[[I]], %c0] [%[[ROWS]], %[[N]]] : {{.*}} -> <[upto 128, ?], f32>
// CHECK:           %[[REST:.*]] = arith.subi %[[M]], %[[I]]
// CHECK:           arith.minsi %[[REST]], %[[ROWS]]
// CHECK:           pl.broadcast {{.*}} -> <[upto 128, ?], f32>
// CHECK:           pl.slice %{{.*}}[%[[I]], %c0] [%[[ROWS]], %[[N]]]
func.func @rows(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %s = pl.reduce sum %t axis 1 : <[upto 8, ?], f32>
    %rest = arith.subi %M, %i : index
    %left = arith.minsi %rest, %c8 : index
    %b = pl.broadcast %s, [%left, %N] : <[upto 8, 1], f32> -> <[upto 8, ?], f32>
    %d = pl.div %t, %b : !pl.tile<[upto 8, ?], f32>, !pl.tile<[upto 8, ?], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %d, %w : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// Rows that are read once are as many as 4096 elements are, and no fewer than before.
// CHECK-LABEL: func.func @read_once
// CHECK:         %[[ALL:.*]] = arith.divsi %c4096
// CHECK:         %[[MOST:.*]] = arith.minsi %[[ALL]], %c128
// CHECK:         %[[ROWS:.*]] = arith.maxsi %[[MOST]], %c8
// CHECK:         pl.parallel {{.*}} step %[[ROWS]] {
func.func @read_once(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %t, %w : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// Where the length is a number, so is how many there are. The longest row tells.
// CHECK-LABEL: func.func @numbers
// CHECK:         step %c20
// CHECK:           pl.slice {{.*}} -> <[upto 20, 200], f32>
// CHECK:           pl.slice {{.*}} -> <[upto 20, 1], f32>
func.func @numbers(%x: !pl.tensor<[?, 200], f32>, %y: !pl.tensor<[?, 200], f32>, %z: !pl.tensor<[?, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c200 = arith.constant 200 : index
  %M = pl.bind "M" %x[0], %y[0], %z[0] : !pl.tensor<[?, 200], f32>, !pl.tensor<[?, 200], f32>, !pl.tensor<[?, 1], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %a = pl.slice %x[%i, %c0] [%c8, %c200] : <[?, 200], f32> -> <[upto 8, 200], f32>
    %t = pl.load %a : <[upto 8, 200], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %c200] : <[?, 200], f32> -> <[upto 8, 200], f32>
    pl.store %t, %w : <[upto 8, 200], f32>, <[upto 8, 200], f32>
    %b = pl.slice %z[%i, %c0] [%c8, %c1] : <[?, 1], f32> -> <[upto 8, 1], f32>
    %u = pl.load %b : <[upto 8, 1], f32>
    pl.store %u, %b : <[upto 8, 1], f32>, <[upto 8, 1], f32>
  }
  return
}

// -----

// What is combined over the rows of an iteration depends on how many there are.
// CHECK-LABEL: func.func @across_rows
// CHECK:         step %c8
func.func @across_rows(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %s = pl.reduce sum %t axis 0 : <[upto 8, ?], f32>
    %rest = arith.subi %M, %i : index
    %left = arith.minsi %rest, %c8 : index
    %b = pl.broadcast %s, [%left, %N] : <[1, ?], f32> -> <[upto 8, ?], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %b, %w : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// A loop that ends before its tensors do touches whole iterations of them.
// CHECK-LABEL: func.func @ends_early
// CHECK:         step %c8
func.func @ends_early(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>, %end: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %end step %c8 {
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %t, %w : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// A row that another iteration may write is not read in another order.
// CHECK-LABEL: func.func @reads_a_row_of_all
// CHECK:         step %c8
func.func @reads_a_row_of_all(%x: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %f = pl.slice %x[%c0, %c0] [%c1, %N] : <[?, ?], f32> -> <[upto 1, ?], f32>
    %g = pl.load %f : <[upto 1, ?], f32>
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %rest = arith.subi %M, %i : index
    %left = arith.minsi %rest, %c8 : index
    %b = pl.broadcast %g, [%left, %N] : <[upto 1, ?], f32> -> <[upto 8, ?], f32>
    %d = pl.add %t, %b : !pl.tile<[upto 8, ?], f32>, !pl.tile<[upto 8, ?], f32>
    pl.store %d, %a : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// Neither is where a row lies anybody's business but the window's.
// CHECK-LABEL: func.func @knows_its_row
// CHECK:         step %c8
func.func @knows_its_row(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %j = arith.index_cast %i : index to i64
    %f = pl.cast %j none : i64 -> f32
    %rest = arith.subi %M, %i : index
    %left = arith.minsi %rest, %c8 : index
    %b = pl.full %f, [%left, %N] : f32 -> <[upto 8, ?], f32>
    %d = pl.add %t, %b : !pl.tile<[upto 8, ?], f32>, !pl.tile<[upto 8, ?], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %d, %w : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// So is how many rows are left.
// CHECK-LABEL: func.func @knows_what_is_left
// CHECK:         step %c8
func.func @knows_what_is_left(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %rest = arith.subi %M, %i : index
    %left = arith.minsi %rest, %c8 : index
    %few = arith.minsi %rest, %c5 : index
    %j = arith.index_cast %few : index to i64
    %f = pl.cast %j none : i64 -> f32
    %b = pl.full %f, [%left, %N] : f32 -> <[upto 8, ?], f32>
    %d = pl.add %t, %b : !pl.tile<[upto 8, ?], f32>, !pl.tile<[upto 8, ?], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %d, %w : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// A view from before the loop may be of what an iteration writes.
// CHECK-LABEL: func.func @reads_a_view
// CHECK:         step %c8
func.func @reads_a_view(%x: !pl.tensor<[?, ?], f32>, %r: !pl.tensor<[1, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %r[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[1, ?], f32>
  %v = pl.slice %r[%c0, %c0] [%c1, %N] : <[1, ?], f32> -> <[1, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %left0 = arith.subi %M, %i : index
    %left = arith.minsi %left0, %c8 : index
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %f = pl.load %v : <[1, ?], f32>
    %b = pl.broadcast %f, [%left, %N] : <[1, ?], f32> -> <[upto 8, ?], f32>
    %d = pl.add %t, %b : !pl.tile<[upto 8, ?], f32>, !pl.tile<[upto 8, ?], f32>
    pl.store %d, %a : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}
