// RUN: tegula-opt %s --tegula-tile-row-ops | FileCheck %s --enable-var-scope
// RUN: tegula-opt %s --tegula-tile-row-ops=elements=1024 | FileCheck %s --check-prefix=TEAMS

!m = !pl.tensor<[?, ?], f32>
!i = !pl.tensor<[?, ?], i32>

// CHECK-LABEL: @rows
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?, ?], f32>, %[[Y:.*]]: !pl.tensor<[?, ?], f32>
func.func @rows(%x: !m, %y: !m) {
  // CHECK: pl.parallel %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
  // CHECK:   %[[A:.*]] = pl.slice %[[X]][%[[ROW]], %{{.*}}]
  // CHECK:   %[[B:.*]] = pl.slice %[[Y]][%[[ROW]], %{{.*}}]
  // CHECK:   pl.running_sum %[[A]] axis 1 into %[[B]]
  pl.running_sum %x axis 1 into %y : !m, !m
  return
}

// CHECK-LABEL: @columns
func.func @columns(%x: !m, %y: !m) {
  // CHECK: %[[STEP:.*]] = arith.constant 256
  // CHECK: pl.parallel %[[COLUMN:.*]] = %{{.*}} to %{{.*}} step %[[STEP]] {
  // CHECK:   pl.slice %{{.*}}[%{{.*}}, %[[COLUMN]]]
  // CHECK:   pl.running_sum %{{.*}} axis 0 into
  pl.running_sum %x axis 0 into %y : !m, !m
  return
}

// Indices point anywhere in what is picked from; one for all columns is for all.

// CHECK-LABEL: @pick_rows
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?, ?], f32>, %[[I:.*]]: !pl.tensor<[?, 1], i32>, %[[Y:.*]]: !pl.tensor<[?, ?], f32>
func.func @pick_rows(%x: !m, %i: !pl.tensor<[?, 1], i32>, %y: !m) {
  // CHECK: pl.parallel %[[ROW:.*]] = %{{.*}} to
  // CHECK-DAG: %[[J:.*]] = pl.slice %[[I]][%[[ROW]], %{{.*}}]
  // CHECK-DAG: %[[B:.*]] = pl.slice %[[Y]][%[[ROW]], %{{.*}}]
  // CHECK:   pl.pick %[[X]][%[[J]]] axis 0 into %[[B]]
  pl.pick %x[%i] axis 0 into %y : !m, !pl.tensor<[?, 1], i32>, !m
  return
}

// Rows may overlap, columns do not.

// CHECK-LABEL: @put_rows
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?, ?], f32>, %[[I:.*]]: !pl.tensor<[?, 1], i32>, %[[Y:.*]]: !pl.tensor<[?, ?], f32>
func.func @put_rows(%x: !m, %i: !pl.tensor<[?, 1], i32>, %y: !m) {
  // CHECK: pl.parallel %[[COLUMN:.*]] = %{{.*}} to
  // CHECK:   %[[A:.*]] = pl.slice %[[X]][%{{.*}}, %[[COLUMN]]]
  // CHECK:   %[[B:.*]] = pl.slice %[[Y]][%{{.*}}, %[[COLUMN]]]
  // CHECK:   pl.put %[[A]] into %[[B]][%[[I]]] axis 0 add
  pl.put %x into %y[%i] axis 0 add : !m, !m, !pl.tensor<[?, 1], i32>
  return
}

// CHECK-LABEL: @keep_in_a_loop
func.func @keep_in_a_loop(%x: !m, %y: !m, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-COUNT-1: pl.parallel
  // CHECK-NOT: pl.parallel
  pl.parallel %k = %c0 to %n step %c1 {
    pl.running_sum %x axis 1 into %y : !m, !m
  }
  return
}

// CHECK-LABEL: @keep_lists
// CHECK-NOT: pl.parallel
func.func @keep_lists(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  pl.running_sum %x axis 0 into %y : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  return
}

// Threads share rows of a sort, a search or a sum, and blocks do when it runs; columns are divided, and so is what goes
// to indices.

// TEAMS-LABEL: @rows
// TEAMS-NOT:     pl.parallel
// TEAMS-LABEL: @columns
// TEAMS:         %[[STEP:.*]] = arith.constant 32
// TEAMS:         pl.parallel %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]] {
// TEAMS-LABEL: @pick_rows
// TEAMS-LABEL: @put_rows
// TEAMS-NOT:     pl.parallel
// TEAMS-LABEL: @keep_in_a_loop

// TEAMS-LABEL: @scatter
// TEAMS:         %[[LONG:.*]] = arith.divsi %{{.*}}, %{{.*}}
// TEAMS:         %[[SOME:.*]] = arith.maxsi %[[LONG]], %{{.*}}
// TEAMS:         %[[STEP:.*]] = arith.minsi %[[SOME]], %{{.*}}
// TEAMS:         pl.parallel %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]] {
// CHECK-LABEL: @scatter
func.func @scatter(%x: !m, %i: !i, %y: !m) {
  pl.put %x into %y[%i] axis 1 : !m, !m, !i
  return
}

// TEAMS-LABEL: @search
// TEAMS-NOT:     pl.parallel
func.func @search(%x: !m, %i: !pl.tensor<[?, 1], i32>) {
  pl.arg_reduce max %x axis 1 into %i : !m, !pl.tensor<[?, 1], i32>
  return
}
