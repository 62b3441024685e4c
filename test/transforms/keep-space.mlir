// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-tile-pipeline="target=interpreter" | FileCheck %s

// Windows of a load and of a move of it are asked for where these were.
// CHECK-LABEL: @windows
// CHECK:         %[[LOAD:.*]] = pl.load %{{.*}} {pl.space = #pl.space<matrix>} : <[upto 256], f32>
// CHECK:         %[[MOVE:.*]] = pl.relax %[[LOAD]] {pl.space = #pl.space<left>}
// CHECK:         pl.add %[[MOVE]], %[[LOAD]]
func.func @windows(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  %a = pl.load %x {pl.space = #pl.space<matrix>} : !pl.tensor<[?], f32>
  %l = pl.relax %a {pl.space = #pl.space<left>} : !pl.tile<[?], f32> -> !pl.tile<[?], f32>
  %s = pl.add %l, %a : !pl.tile<[?], f32>, !pl.tile<[?], f32>
  pl.store %s, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// What a loop sums up has no op of its own: it is moved.
// CHECK-LABEL: @sum_in_steps
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:         %[[MOVE:.*]] = pl.relax %[[SUM]] {pl.space = #pl.space<bias>}
// CHECK:         pl.store %[[MOVE]]
func.func @sum_in_steps(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[1], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %a = pl.load %x : !pl.tensor<[?], f32>
  %s = pl.reduce sum %a axis 0 {pl.space = #pl.space<bias>} : !pl.tile<[?], f32>
  pl.store %s, %y : !pl.tile<[1], f32>, !pl.tensor<[1], f32>
  return
}

// What goes through memory is asked for when it comes back.
// CHECK-LABEL: @through_memory
// CHECK:         pl.view
// CHECK:         pl.load %{{.*}} {pl.space = #pl.space<left>}
func.func @through_memory(%x: !pl.tensor<[?, 8], f32>, %y: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, 8], f32>
  %N = pl.bind "N" %y[0] : !pl.tensor<[?], f32>
  %a = pl.load %x : !pl.tensor<[?, 8], f32>
  %r = pl.reshape_elements %a, [%N] {pl.space = #pl.space<left>} : !pl.tile<[?, 8], f32> -> !pl.tile<[?], f32>
  pl.store %r, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// A tile of the author's is kept as it is.
// CHECK-LABEL: @authors_tile
// CHECK:         pl.load %{{.*}} {pl.space = #pl.space<right>} : <[8, 8], f32>
// CHECK:         pl.transpose %{{.*}} [1, 0] {pl.space = #pl.space<left>}
func.func @authors_tile(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x {pl.space = #pl.space<right>} : !pl.tensor<[8, 8], f32>
  %t = pl.transpose %a [1, 0] {pl.space = #pl.space<left>} : !pl.tile<[8, 8], f32>
  pl.store %t, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}
