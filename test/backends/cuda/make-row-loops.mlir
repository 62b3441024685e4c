// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-cuda-make-row-loops))' | FileCheck %s --enable-var-scope

// Vectors are repeated in each row.

// CHECK-LABEL: @elements
// CHECK:         pl.parallel %[[I:.*]] = %{{.*}} {
// CHECK:           pl.parallel %[[J:.*]] = %{{.*}} {
// CHECK:             pl.slice %arg0[%[[I]], %[[J]], %{{.*}}] {{.*}} -> <[upto 1, upto 1, ?], f32>
// CHECK:             pl.slice %arg1[%{{.*}}] {{.*}} -> <[?], f32>
// CHECK:             pl.broadcast {{.*}} : <[?], f32> -> <[upto 1, upto 1, ?], f32>
// CHECK:             pl.slice %arg2[%[[I]], %[[J]], %{{.*}}]
// CHECK:             pl.store
func.func @elements(%x: !pl.tensor<[?, ?, ?], f32>, %b: !pl.tensor<[?], f32>, %y: !pl.tensor<[?, ?, ?], f32>) {
  %K = pl.bind "K" %x[0], %y[0] : !pl.tensor<[?, ?, ?], f32>, !pl.tensor<[?, ?, ?], f32>
  %M = pl.bind "M" %x[1], %y[1] : !pl.tensor<[?, ?, ?], f32>, !pl.tensor<[?, ?, ?], f32>
  %N = pl.bind "N" %x[2], %b[0], %y[2] : !pl.tensor<[?, ?, ?], f32>, !pl.tensor<[?], f32>, !pl.tensor<[?, ?, ?], f32>
  %t = pl.load %x : <[?, ?, ?], f32>
  %v = pl.load %b : <[?], f32>
  %w = pl.broadcast %v, [%K, %M, %N] : <[?], f32> -> <[?, ?, ?], f32>
  %r = pl.add %t, %w : !pl.tile<[?, ?, ?], f32>, !pl.tile<[?, ?, ?], f32>
  pl.store %r, %y : <[?, ?, ?], f32>, <[?, ?, ?], f32>
  return
}

// What is read is written between: only the first store becomes a loop.

// CHECK-LABEL: @overwritten
// CHECK:         pl.parallel
// CHECK:           pl.slice %arg0
// CHECK-NOT:     pl.parallel
// CHECK:         pl.store %{{.*}}, %arg2 : <[?, ?], f32>
func.func @overwritten(%x: !pl.tensor<[?, ?], f32>, %z: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %t = pl.load %x : <[?, ?], f32>
  %u = pl.load %z : <[?, ?], f32>
  pl.store %u, %x : <[?, ?], f32>, <[?, ?], f32>
  %s = pl.load %x : <[?, ?], f32>
  %v = pl.add %t, %s : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %v, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// Rows that are reduced, or moved, are not these.

// CHECK-LABEL: @reduced
// CHECK-NOT:     pl.parallel
func.func @reduced(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, 1], f32>, %z: !pl.tensor<[?, ?], f32>) {
  %t = pl.load %x : <[?, ?], f32>
  %r = pl.reduce sum %t axis 1 : <[?, ?], f32>
  pl.store %r, %y : <[?, 1], f32>, <[?, 1], f32>
  %u = pl.transpose %t [1, 0] : !pl.tile<[?, ?], f32>
  pl.store %u, %z : <[?, ?], f32>, <[?, ?], f32>
  return
}
