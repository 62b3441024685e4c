// RUN: tegula-opt %s --tegula-prove-parallel --verify-diagnostics | FileCheck %s

!x = !pl.tensor<[?, ?], f32>

// CHECK-LABEL: @own_rows
func.func @own_rows(%x: !x, %t: !pl.tile<[8, 16], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  // CHECK: pl.parallel {{.*}} independent {
  pl.parallel %i = %c0 to %n step %c8 {
    %v = pl.slice %x[%i, %c0] [%c8, %c16] : !x -> !pl.tensor<[upto 8, upto 16], f32>
    pl.store %t, %v : !pl.tile<[8, 16], f32>, !pl.tensor<[upto 8, upto 16], f32>
  }
  return
}

// CHECK-LABEL: @scaled_and_read_in_place
func.func @scaled_and_read_in_place(%x: !x, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %N = pl.dim %x[1] : !x
  // CHECK: pl.parallel {{.*}} independent {
  pl.parallel %i = %c0 to %n step %c1 {
    %row = arith.muli %i, %c8 : index
    %v = pl.slice %x[%row, %c0] [%c8, %N] : !x -> !pl.tensor<[upto 8, ?], f32>
    %t = pl.load %v : !pl.tensor<[upto 8, ?], f32>
    pl.store %t, %v : !pl.tile<[upto 8, ?], f32>, !pl.tensor<[upto 8, ?], f32>
  }
  return
}

// CHECK-LABEL: @step_known_at_run_time
func.func @step_known_at_run_time(%x: !x, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %N = pl.dim %x[1] : !x
  // CHECK: pl.parallel {{.*}} independent {
  pl.parallel %i = %c0 to %n step %s {
    %v = pl.slice %x[%i, %c0] [%s, %N] : !x -> !pl.tensor<[?, ?], f32>
    %t = pl.load %v : !pl.tensor<[?, ?], f32>
    pl.store %t, %v : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  }
  return
}

// CHECK-LABEL: @rows_by_an_inner_loop
func.func @rows_by_an_inner_loop(%x: !x, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: pl.parallel {{.*}} independent {
  pl.parallel %i = %c0 to %n step %c8 {
    scf.for %j = %c0 to %c8 step %c1 {
      %row = arith.addi %i, %j : index
      pl.write %f, %x[%row, %c0] : f32, !x
    }
  }
  return
}

// CHECK-LABEL: @keep_overlapping_windows_in_order
func.func @keep_overlapping_windows_in_order(%x: !x, %t: !pl.tile<[9, 16], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c16 = arith.constant 16 : index
  // CHECK-NOT: independent
  // expected-remark @+1 {{runs in order: iterations may touch the same elements}}
  pl.parallel %i = %c0 to %n step %c8 {
    %v = pl.slice %x[%i, %c0] [%c9, %c16] : !x -> !pl.tensor<[upto 9, upto 16], f32>
    // expected-note @+1 {{written here}}
    pl.store %t, %v : !pl.tile<[9, 16], f32>, !pl.tensor<[upto 9, upto 16], f32>
  }
  return
}

// CHECK-LABEL: @keep_reading_the_neighbour_in_order
func.func @keep_reading_the_neighbour_in_order(%x: !x, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: independent
  // expected-remark @+1 {{runs in order: iterations may touch the same elements}}
  pl.parallel %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %s = pl.read %x[%before, %c0] : !x
    // expected-note @+1 {{written here}}
    pl.write %s, %x[%i, %c0] : f32, !x
  }
  return
}

// CHECK-LABEL: @keep_one_element_for_all_in_order
func.func @keep_one_element_for_all_in_order(%x: !x, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: independent
  // expected-remark @+1 {{runs in order: iterations may touch the same elements}}
  pl.parallel %i = %c0 to %n step %c1 {
    // expected-note @+1 {{written here}}
    pl.write %f, %x[%c0, %c0] : f32, !x
  }
  return
}

!v = !pl.tensor<[?], f32>

// Steps of 3 * (2^62 + 1) are more than 64 only until the numbers wrap around.
func.func @slots_that_wrap_around(%x: !v, %y: !v) {
  %M = pl.bind "M" %y[0] : !v
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %distant = arith.constant 4611686018427387905 : index
  // expected-remark @+1 {{runs in order: iterations may touch the same elements}}
  pl.parallel %i = %c0 to %M step %c3 {
    %o = arith.muli %i, %distant : index
    %from = pl.slice %x[%o] [%c64] : !v -> !pl.tensor<[upto 64], f32>
    %t = pl.load %from : !pl.tensor<[upto 64], f32>
    %to = pl.slice %y[%o] [%c64] : !v -> !pl.tensor<[upto 64], f32>
    // expected-note @+1 {{written here}}
    pl.store %t, %to : !pl.tile<[upto 64], f32>, !pl.tensor<[upto 64], f32>
  }
  return
}
