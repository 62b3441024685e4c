// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-cuda-assume-parallel-loops,tegula-prove-parallel{only-made}))' | FileCheck %s

// The inner loop becomes parallel, and is proved to be; the author's has been
// judged before.

// CHECK-LABEL: @judged
// CHECK:         pl.parallel %{{.*}} step %c8 {
// CHECK:           pl.parallel %{{.*}} step %c8 independent {
// CHECK-NOT:       pl.made
func.func @judged(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    scf.for %j = %c0 to %N step %c8 {
      %xs = pl.slice %x[%i, %j] [%c8, %c8] : <[?, ?], f32> -> <[upto 8, upto 8], f32>
      %ys = pl.slice %y[%i, %j] [%c8, %c8] : <[?, ?], f32> -> <[upto 8, upto 8], f32>
      %t = pl.load %xs : <[upto 8, upto 8], f32>
      pl.store %t, %ys : <[upto 8, upto 8], f32>, <[upto 8, upto 8], f32>
    }
  }
  return
}

// Iterations write the same elements: they stay in order.

// CHECK-LABEL: @conflict
// CHECK:         pl.parallel %{{.*}} step %c8 {
// CHECK-NOT:     independent
func.func @conflict(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %N = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  scf.for %j = %c0 to %N step %c8 {
    %xs = pl.slice %x[%j] [%c8] : <[?], f32> -> <[upto 8], f32>
    %ys = pl.slice %y[%c0] [%c8] : <[?], f32> -> <[upto 8], f32>
    %t = pl.load %xs : <[upto 8], f32>
    pl.store %t, %ys : <[upto 8], f32>, <[upto 8], f32>
  }
  return
}
