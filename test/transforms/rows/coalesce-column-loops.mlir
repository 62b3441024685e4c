// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline="builtin.module(func.func(tegula-coalesce-column-loops,cse,canonicalize))" --split-input-file | FileCheck %s --enable-var-scope

// CHECK-LABEL: @sums_are_of_whole_rows
// CHECK:         pl.parallel %[[I:.*]] = %{{.*}} to %[[M:.*]] step %c8
// CHECK-NOT:     scf.for
// CHECK:           pl.slice %{{.*}}[%[[I]], %{{.*}}] [%c8, %[[N:.*]]] : <[?, ?], f32> -> <[upto 8, ?], f32>
// CHECK:           %[[SUM:.*]] = pl.reduce sum %{{.*}} axis 1 : <[upto 8, ?], f32>
// CHECK:           %[[ALL:.*]] = pl.add %{{.*}}, %[[SUM]]
// CHECK:           %[[SPREAD:.*]] = pl.broadcast %[[ALL]], [%{{.*}}, %[[N]]] : <[upto 8, 1], f32> -> <[upto 8, ?], f32>
// CHECK:           pl.store %{{.*}}, %{{.*}} : <[upto 8, ?], f32>, <[upto 8, ?], f32>
func.func @sums_are_of_whole_rows(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %m step %c4 {
    %start = pl.full %zero, [%c4, %c1] : f32 -> <[4, 1], f32>
    %sum = scf.for %j = %c0 to %n step %c64 iter_args(%before = %start) -> (!pl.tile<[4, 1], f32>) {
      %part = pl.slice %x[%i, %j] [%c4, %c64] : <[?, ?], f32> -> <[upto 4, upto 64], f32>
      %t = pl.load %part : <[upto 4, upto 64], f32>
      %r = pl.reduce sum %t axis 1 : <[upto 4, upto 64], f32>
      %rest = arith.subi %m, %i : index
      %rows = arith.minsi %rest, %c4 : index
      %own = pl.window %before[%c0, %c0] [%rows, %c1] : <[4, 1], f32> -> <[upto 4, 1], f32>
      %next = pl.add %own, %r : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
      %after = pl.insert %next, %before[%c0, %c0] : <[upto 4, 1], f32>, <[4, 1], f32>
      scf.yield %after : !pl.tile<[4, 1], f32>
    }
    scf.for %j = %c0 to %n step %c64 {
      %part = pl.slice %x[%i, %j] [%c4, %c64] : <[?, ?], f32> -> <[upto 4, upto 64], f32>
      %t = pl.load %part : <[upto 4, upto 64], f32>
      %rest = arith.subi %n, %j : index
      %columns = arith.minsi %rest, %c64 : index
      %broadcast = pl.broadcast %sum, [%c4, %columns] : <[4, 1], f32> -> <[4, upto 64], f32>
      %s = pl.sub %t, %broadcast : !pl.tile<[upto 4, upto 64], f32>, !pl.tile<[4, upto 64], f32>
      %target = pl.slice %y[%i, %j] [%c4, %c64] : <[?, ?], f32> -> <[upto 4, upto 64], f32>
      pl.store %s, %target : <[upto 4, upto 64], f32>, <[upto 4, upto 64], f32>
    }
  }
  return
}

// -----

// CHECK-LABEL: @elements_have_no_loop
// CHECK-NOT:     pl.parallel
// CHECK:         %[[X:.*]] = pl.load %{{.*}} : <[?, ?], f32>
// CHECK:         %[[E:.*]] = pl.exp %[[X]] : !pl.tile<[?, ?], f32>
// CHECK:         pl.store %[[E]], %{{.*}} : <[?, ?], f32>, <[?, ?], f32>
func.func @elements_have_no_loop(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %m step %c4 {
    scf.for %j = %c0 to %n step %c4 {
      %part = pl.slice %x[%i, %j] [%c4, %c4] : <[?, ?], f32> -> <[upto 4, upto 4], f32>
      %t = pl.load %part : <[upto 4, upto 4], f32>
      %e = pl.exp %t : !pl.tile<[upto 4, upto 4], f32>
      %target = pl.slice %y[%i, %j] [%c4, %c4] : <[?, ?], f32> -> <[upto 4, upto 4], f32>
      pl.store %e, %target : <[upto 4, upto 4], f32>, <[upto 4, upto 4], f32>
    }
  }
  return
}

// -----

// What is stored in an iteration depends on the sum so far.

// CHECK-LABEL: @keep_reductions_that_are_used_on_the_way
// CHECK:         scf.for %{{.*}} step %c64 iter_args
func.func @keep_reductions_that_are_used_on_the_way(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], f32>
  %n = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %m step %c4 {
    %rest = arith.subi %m, %i : index
    %rows = arith.minsi %rest, %c4 : index
    %start = pl.full %zero, [%rows, %c1] : f32 -> <[upto 4, 1], f32>
    %sum = scf.for %j = %c0 to %n step %c64 iter_args(%before = %start) -> (!pl.tile<[upto 4, 1], f32>) {
      %part = pl.slice %x[%i, %j] [%c4, %c64] : <[?, ?], f32> -> <[upto 4, upto 64], f32>
      %t = pl.load %part : <[upto 4, upto 64], f32>
      %r = pl.reduce sum %t axis 1 : <[upto 4, upto 64], f32>
      %next = pl.add %before, %r : !pl.tile<[upto 4, 1], f32>, !pl.tile<[upto 4, 1], f32>
      %target = pl.slice %y[%i, %c0] [%c4, %c1] : <[?, 1], f32> -> <[upto 4, 1], f32>
      pl.store %next, %target : <[upto 4, 1], f32>, <[upto 4, 1], f32>
      scf.yield %next : !pl.tile<[upto 4, 1], f32>
    }
  }
  return
}

// -----

// Each store would read everything again.

// CHECK-LABEL: @keep_two_stores_without_sums
// CHECK:         pl.parallel
// CHECK:           scf.for
func.func @keep_two_stores_without_sums(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>, %z: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = pl.bind "M" %x[0], %y[0], %z[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1], %z[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %m step %c4 {
    scf.for %j = %c0 to %n step %c4 {
      %part = pl.slice %x[%i, %j] [%c4, %c4] : <[?, ?], f32> -> <[upto 4, upto 4], f32>
      %t = pl.load %part : <[upto 4, upto 4], f32>
      %first = pl.slice %y[%i, %j] [%c4, %c4] : <[?, ?], f32> -> <[upto 4, upto 4], f32>
      pl.store %t, %first : <[upto 4, upto 4], f32>, <[upto 4, upto 4], f32>
      %second = pl.slice %z[%i, %j] [%c4, %c4] : <[?, ?], f32> -> <[upto 4, upto 4], f32>
      pl.store %t, %second : <[upto 4, upto 4], f32>, <[upto 4, upto 4], f32>
    }
  }
  return
}

// -----

// There are fewer rows than an iteration could have.

// CHECK-LABEL: @few_rows
// CHECK:         pl.parallel %{{.*}} step %c4
// CHECK:           pl.reduce max %{{.*}} axis 1 : <[upto 4, ?], f32>
func.func @few_rows(%x: !pl.tensor<[4, ?], f32>, %y: !pl.tensor<[4, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %least = arith.constant -3.0e38 : f32
  %n = pl.bind "N" %x[1] : !pl.tensor<[4, ?], f32>
  pl.parallel %i = %c0 to %c4 step %c2 {
    %start = pl.full %least, [%c2, %c1] : f32 -> <[2, 1], f32>
    %relaxed = pl.relax %start : <[2, 1], f32> -> <[upto 2, 1], f32>
    %most = scf.for %j = %c0 to %n step %c64 iter_args(%before = %relaxed) -> (!pl.tile<[upto 2, 1], f32>) {
      %part = pl.slice %x[%i, %j] [%c2, %c64] : <[4, ?], f32> -> <[upto 2, upto 64], f32>
      %t = pl.load %part : <[upto 2, upto 64], f32>
      %r = pl.reduce max %t axis 1 : <[upto 2, upto 64], f32>
      %next = pl.maximum %before, %r : !pl.tile<[upto 2, 1], f32>, !pl.tile<[upto 2, 1], f32>
      scf.yield %next : !pl.tile<[upto 2, 1], f32>
    }
    %target = pl.slice %y[%i, %c0] [%c2, %c1] : <[4, 1], f32> -> <[upto 2, 1], f32>
    pl.store %most, %target : <[upto 2, 1], f32>, <[upto 2, 1], f32>
  }
  return
}
