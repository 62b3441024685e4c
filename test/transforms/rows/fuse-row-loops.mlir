// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-fuse-row-loops --split-input-file | FileCheck %s
// RUN: tegula-opt %s --tegula-fuse-row-loops=read-cost=30 --split-input-file | FileCheck %s --check-prefix=SLOW

!m = !pl.tensor<[?, ?], f32>
!t = !pl.tile<[?, ?], f32>

// CHECK-LABEL: func.func @softmax
// CHECK:         %[[M:.*]] = pl.bind "M"
// CHECK:         %[[N:.*]] = pl.bind "N"
// CHECK:         pl.parallel %[[I:.*]] = %{{.*}} to %[[M]] step %[[STEP:.*]] {
// CHECK:           %[[REST:.*]] = arith.subi %[[M]], %[[I]]
// CHECK:           %[[LEFT:.*]] = arith.minsi %[[REST]], %[[STEP]]
// CHECK:           %[[X:.*]] = pl.slice %{{.*}}[%[[I]], %{{.*}}] [%[[STEP]], %[[N]]] : {{.*}} -> <[upto 8, ?], f32>
// CHECK:           pl.load %[[X]]
// CHECK:           pl.exp %{{.*}} : !pl.tile<[upto 8, ?], f32>
// CHECK:           pl.broadcast %{{.*}}, [%[[LEFT]], %[[N]]]
// CHECK:           %[[Y:.*]] = pl.slice %{{.*}}[%[[I]], %{{.*}}] [%[[STEP]], %[[N]]]
// CHECK:           pl.store %{{.*}}, %[[Y]]
// CHECK:         }
// CHECK-NOT:     pl.store
// Where memory is slower, an exponential is computed again.
// SLOW-LABEL: func.func @softmax
// SLOW-NOT:     pl.parallel
func.func @softmax(%x: !m, %y: !m) {
  %M = pl.bind "M" %x[0], %y[0] : !m, !m
  %N = pl.bind "N" %x[1], %y[1] : !m, !m
  %t = pl.load %x : <[?, ?], f32>
  %e = pl.exp %t : !t
  %s = pl.reduce sum %e axis 1 : <[?, ?], f32>
  %b = pl.broadcast %s, [%M, %N] : <[?, 1], f32> -> <[?, ?], f32>
  %d = pl.div %e, %b : !t, !t
  pl.store %d, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

!m = !pl.tensor<[?, ?], f32>
!t = !pl.tile<[?, ?], f32>

// What is computed in no time is computed again.
// CHECK-LABEL: func.func @cheap
// CHECK-NOT:     pl.parallel
func.func @cheap(%x: !m, %y: !m) {
  %M = pl.bind "M" %x[0], %y[0] : !m, !m
  %N = pl.bind "N" %x[1], %y[1] : !m, !m
  %t = pl.load %x : <[?, ?], f32>
  %e = pl.abs %t : !t
  %s = pl.reduce sum %e axis 1 : <[?, ?], f32>
  %b = pl.broadcast %s, [%M, %N] : <[?, 1], f32> -> <[?, ?], f32>
  %d = pl.div %e, %b : !t, !t
  pl.store %d, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

!m = !pl.tensor<[?, ?], f32>
!t = !pl.tile<[?, ?], f32>

// A sum of columns needs all rows.
// CHECK-LABEL: func.func @across_rows
// CHECK-NOT:     pl.parallel
func.func @across_rows(%x: !m, %y: !m) {
  %M = pl.bind "M" %x[0], %y[0] : !m, !m
  %N = pl.bind "N" %x[1], %y[1] : !m, !m
  %t = pl.load %x : <[?, ?], f32>
  %e = pl.exp %t : !t
  %s = pl.reduce sum %e axis 0 : <[?, ?], f32>
  %b = pl.broadcast %s, [%M, %N] : <[1, ?], f32> -> <[?, ?], f32>
  %d = pl.div %e, %b : !t, !t
  pl.store %d, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

!m = !pl.tensor<[?, ?], f32>
!t = !pl.tile<[?, ?], f32>

// What was read before it is written is not read after that.
// CHECK-LABEL: func.func @written_between
// CHECK-NOT:     pl.parallel
func.func @written_between(%x: !m, %y: !m) {
  %M = pl.bind "M" %x[0], %y[0] : !m, !m
  %N = pl.bind "N" %x[1], %y[1] : !m, !m
  %t = pl.load %x : <[?, ?], f32>
  %e = pl.exp %t : !t
  %s = pl.reduce sum %e axis 1 : <[?, ?], f32>
  %b = pl.broadcast %s, [%M, %N] : <[?, 1], f32> -> <[?, ?], f32>
  %d = pl.div %e, %b : !t, !t
  %n = pl.abs %t : !t
  pl.store %n, %x : <[?, ?], f32>, <[?, ?], f32>
  pl.store %d, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

!m = !pl.tensor<[?, ?], f32>
!t = !pl.tile<[?, ?], f32>

// Matrices with other numbers of rows: extents mismatch as before.
// CHECK-LABEL: func.func @other_rows
// CHECK-NOT:     pl.parallel
func.func @other_rows(%x: !m, %y: !m) {
  %M = pl.bind "M" %x[0] : !m
  %K = pl.bind "K" %y[0] : !m
  %N = pl.bind "N" %x[1], %y[1] : !m, !m
  %t = pl.load %x : <[?, ?], f32>
  %e = pl.exp %t : !t
  %s = pl.reduce sum %e axis 1 : <[?, ?], f32>
  %b = pl.broadcast %s, [%M, %N] : <[?, 1], f32> -> <[?, ?], f32>
  %d = pl.div %e, %b : !t, !t
  pl.store %d, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

!m = !pl.tensor<[?, ?], f32>
!t = !pl.tile<[?, ?], f32>

// It is kept there, too, if it takes longer still.
// CHECK-LABEL: func.func @logarithms
// CHECK:         pl.parallel
// SLOW-LABEL: func.func @logarithms
// SLOW:         pl.parallel
func.func @logarithms(%x: !m, %y: !m) {
  %M = pl.bind "M" %x[0], %y[0] : !m, !m
  %N = pl.bind "N" %x[1], %y[1] : !m, !m
  %t = pl.load %x : <[?, ?], f32>
  %e = pl.log %t : !t
  %s = pl.reduce sum %e axis 1 : <[?, ?], f32>
  %b = pl.broadcast %s, [%M, %N] : <[?, 1], f32> -> <[?, ?], f32>
  %d = pl.sub %e, %b : !t, !t
  pl.store %d, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

!m = !pl.tensor<[?, ?], i32>
!t = !pl.tile<[?, ?], i32>

// Integers take longer to divide than floats: the quotients are kept.
// CHECK-LABEL: func.func @integer_quotients
// CHECK:         pl.parallel
// SLOW-LABEL: func.func @integer_quotients
// SLOW-NOT:     pl.parallel
func.func @integer_quotients(%x: !m, %y: !m) {
  %M = pl.bind "M" %x[0], %y[0] : !m, !m
  %N = pl.bind "N" %x[1], %y[1] : !m, !m
  %t = pl.load %x : <[?, ?], i32>
  %e = pl.div %t, %t : !t, !t
  %s = pl.reduce sum %e axis 1 : <[?, ?], i32>
  %b = pl.broadcast %s, [%M, %N] : <[?, 1], i32> -> <[?, ?], i32>
  %d = pl.sub %e, %b : !t, !t
  pl.store %d, %y : <[?, ?], i32>, <[?, ?], i32>
  return
}
