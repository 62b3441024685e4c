// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-cuda-fit-tiles{most-words=1024 most-live=1024}),cse)' | FileCheck %s --enable-var-scope

// Rows of any length get versions by width, and longer ones stay as they are.

// CHECK-LABEL: @any_length
// CHECK:         %[[N:.*]] = pl.bind "N"
// CHECK:         %[[SHORT:.*]] = arith.cmpi sle, %[[N]], %c32
// CHECK:         scf.if %[[SHORT]]
// CHECK:           %[[W:.*]] = arith.minsi %[[N]], %c32
// CHECK:           pl.parallel %[[I:.*]] = %c0 to %{{.*}} step %c32
// CHECK:             pl.slice %arg0[%[[I]], %c0] [%c32{{.*}}, %[[W]]] : <[?, ?], f32> -> <[upto 32, upto 32], f32>
// CHECK:             pl.reduce max %{{.*}} axis 1 : <[upto 32, upto 32], f32>
// CHECK:             pl.broadcast %{{.*}} : <[upto 32, 1], f32> -> <[upto 32, upto 32], f32>
// CHECK:           arith.cmpi sle, %[[N]], %c256
// CHECK:             pl.parallel %{{.*}} step %c4
// CHECK:             arith.cmpi sle, %[[N]], %c1024
// CHECK:               pl.slice {{.*}} -> <[1, upto 1024], f32>
// CHECK:             else
// CHECK:               pl.slice {{.*}} drop [0] : <[?, ?], f32> -> <[?], f32>
func.func @any_length(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c1 {
    %xs = pl.slice %x[%i, %c0] [%c1, %N] drop [0] : <[?, ?], f32> -> <[?], f32>
    %t = pl.load %xs : <[?], f32>
    %m = pl.reduce max %t axis 0 : <[?], f32>
    %b = pl.broadcast %m, [%N] : <[1], f32> -> <[?], f32>
    %r = pl.sub %t, %b : !pl.tile<[?], f32>, !pl.tile<[?], f32>
    %ys = pl.slice %y[%i, %c0] [%c1, %N] drop [0] : <[?, ?], f32> -> <[?], f32>
    pl.store %r, %ys : <[?], f32>, <[?], f32>
  }
  return
}

// A number that is read for each row is a vector, and what an inner loop
// carries has rows.

// CHECK-LABEL: @numbers_and_sums
// CHECK:         pl.parallel %[[I:.*]] = %c0 to %[[M:.*]] step %[[STEP:.*]] {
// CHECK:           %[[LEFT:.*]] = arith.subi %[[M]], %[[I]]
// CHECK:           %[[ROWS:.*]] = arith.minsi %[[LEFT]], %[[STEP]]
// CHECK:           %[[VIEW:.*]] = pl.slice %arg1[%[[I]]] [%[[STEP]]] : <[?], f32> -> <[upto 8], f32>
// CHECK:           pl.load %[[VIEW]]
// CHECK:           pl.full %{{.*}}, [%[[ROWS]], %c1] : f32 -> <[upto 8, 1], f32>
// CHECK:           scf.for {{.*}} -> (!pl.tile<[upto 8, 1], f32>)
// CHECK:             -> <[upto 8, upto 128], f32>
// CHECK:           pl.reshape {{.*}} : <[upto 8], f32> -> <[upto 8, 1], f32>
// CHECK:           pl.store {{.*}} : <[upto 8, 1], f32>, <[upto 8, 1], f32>
func.func @numbers_and_sums(%x: !pl.tensor<[?, ?], f32>, %s: !pl.tensor<[?], f32>, %y: !pl.tensor<[?, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %M = pl.bind "M" %x[0], %s[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?], f32>, !pl.tensor<[?, 1], f32>
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c1 {
    %n = pl.read %s[%i] : !pl.tensor<[?], f32>
    %start = pl.full %zero, [%c1, %c1] : f32 -> <[1, 1], f32>
    %sum = scf.for %j = %c0 to %N step %c128 iter_args(%acc = %start) -> (!pl.tile<[1, 1], f32>) {
      %w = pl.slice %x[%i, %j] [%c1, %c128] : <[?, ?], f32> -> <[1, upto 128], f32>
      %t = pl.load %w : <[1, upto 128], f32>
      %part = pl.reduce sum %t axis 1 : <[1, upto 128], f32>
      %next = pl.add %acc, %part : !pl.tile<[1, 1], f32>, !pl.tile<[1, 1], f32>
      scf.yield %next : !pl.tile<[1, 1], f32>
    }
    %f = pl.full %n, [%c1, %c1] : f32 -> <[1, 1], f32>
    %r = pl.mul %sum, %f : !pl.tile<[1, 1], f32>, !pl.tile<[1, 1], f32>
    %ys = pl.slice %y[%i, %c0] [%c1, %c1] : <[?, 1], f32> -> <[1, 1], f32>
    pl.store %r, %ys : <[1, 1], f32>, <[1, 1], f32>
  }
  return
}

// An author's blocks that are too large get fewer rows.

// CHECK-LABEL: @too_many_rows
// CHECK:         pl.parallel %{{.*}} step %c8{{.*}} {
// CHECK:           -> <[upto 8, 128], f32>
func.func @too_many_rows(%x: !pl.tensor<[?, 128], f32>, %y: !pl.tensor<[?, 128], f32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 128], f32>
  pl.parallel %i = %c0 to %M step %c64 {
    %xs = pl.slice %x[%i, %c0] [%c64, %c128] : <[?, 128], f32> -> <[upto 64, 128], f32>
    %ys = pl.slice %y[%i, %c0] [%c64, %c128] : <[?, 128], f32> -> <[upto 64, 128], f32>
    %t = pl.load %xs : <[upto 64, 128], f32>
    %r = pl.exp %t : !pl.tile<[upto 64, 128], f32>
    pl.store %r, %ys : <[upto 64, 128], f32>, <[upto 64, 128], f32>
  }
  return
}

// An iteration reads the row that the one before wrote.

// CHECK-LABEL: @rows_depend
// CHECK-NOT:     scf.if
// CHECK:         pl.parallel %{{.*}} step %c1 {
func.func @rows_depend(%y: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %M = pl.bind "M" %y[0] : !pl.tensor<[?, 16], f32>
  pl.parallel %i = %c1 to %M step %c1 {
    %before = arith.subi %i, %c1 : index
    %xs = pl.slice %y[%before, %c0] [%c1, %c16] : <[?, 16], f32> -> <[1, 16], f32>
    %ys = pl.slice %y[%i, %c0] [%c1, %c16] : <[?, 16], f32> -> <[1, 16], f32>
    %t = pl.load %xs : <[1, 16], f32>
    pl.store %t, %ys : <[1, 16], f32>, <[1, 16], f32>
  }
  return
}

// What all iterations read, one of them writes.

// CHECK-LABEL: @first_row_is_read
// CHECK:         pl.parallel %{{.*}} step %c1 {
func.func @first_row_is_read(%y: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %M = pl.bind "M" %y[0] : !pl.tensor<[?, 16], f32>
  pl.parallel %i = %c0 to %M step %c1 {
    %xs = pl.slice %y[%c0, %c0] [%c1, %c16] : <[?, 16], f32> -> <[1, 16], f32>
    %ys = pl.slice %y[%i, %c0] [%c1, %c16] : <[?, 16], f32> -> <[1, 16], f32>
    %t = pl.load %xs : <[1, 16], f32>
    %r = pl.exp %t : !pl.tile<[1, 16], f32>
    pl.store %r, %ys : <[1, 16], f32>, <[1, 16], f32>
  }
  return
}

// Rows of a block are combined with each other.

// CHECK-LABEL: @sums_of_blocks
// CHECK:         pl.parallel %{{.*}} step %c4 {
func.func @sums_of_blocks(%x: !pl.tensor<[?, 16], f32>, %y: !pl.tensor<[?, 16], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, 16], f32>, !pl.tensor<[?, 16], f32>
  pl.parallel %i = %c0 to %M step %c4 {
    %xs = pl.slice %x[%i, %c0] [%c4, %c16] : <[?, 16], f32> -> <[upto 4, 16], f32>
    %ys = pl.slice %y[%i, %c0] [%c1, %c16] : <[?, 16], f32> -> <[1, 16], f32>
    %t = pl.load %xs : <[upto 4, 16], f32>
    %r = pl.reduce sum %t axis 0 : <[upto 4, 16], f32>
    pl.store %r, %ys : <[1, 16], f32>, <[1, 16], f32>
  }
  return
}
