// RUN: tegula-opt %s --tegula-prove-parallel --verify-diagnostics | FileCheck %s

// Slots whose size is known at run time only, and loop variables that are taken apart.

!x = !pl.tensor<[?, ?], f32>
!v = !pl.tensor<[?], f32>
!w = !pl.tensor<[?, upto 64], f32>

// CHECK-LABEL: @rows_in_a_row
func.func @rows_in_a_row(%x: !x, %y: !v) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !x
  %N = pl.bind "N" %x[1] : !x
  // CHECK: pl.parallel {{.*}} independent {
  pl.parallel %i = %c0 to %M step %c1 {
    %first = arith.muli %i, %N : index
    %row = pl.slice %x[%i, %c0] [%c1, %N] drop [0] : !x -> !v
    %to = pl.slice %y[%first] [%N] : !v -> !v
    %t = pl.load %row : !v
    pl.store %t, %to : !pl.tile<[?], f32>, !v
  }
  return
}

// CHECK-LABEL: @elements_of_planes
func.func @elements_of_planes(%x: !x, %z: !v, %y: !v, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %B = pl.bind "B" %z[0] : !v
  %M = pl.bind "M" %x[0] : !x
  %N = pl.bind "N" %x[1] : !x
  // CHECK: pl.parallel {{.*}} independent {
  pl.parallel %b = %c0 to %B step %c1 {
    // CHECK: pl.parallel {{.*}} independent {
    pl.parallel %i = %c0 to %M step %c1 {
      scf.for %j = %c0 to %N step %c1 {
        %plane = arith.muli %b, %M : index
        %row = arith.addi %plane, %i : index
        %first = arith.muli %row, %N : index
        %at = arith.addi %first, %j : index
        pl.write %f, %y[%at] : f32, !v
      }
    }
  }
  return
}

// CHECK-LABEL: @quotient_and_remainder
func.func @quotient_and_remainder(%y: !x, %x: !x, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !x
  %N = pl.bind "N" %x[1] : !x
  %count = arith.muli %M, %N : index
  // CHECK: pl.parallel {{.*}} independent {
  pl.parallel %p = %c0 to %count step %c1 {
    %q = arith.floordivsi %p, %N : index
    %whole = arith.muli %q, %N : index
    %r = arith.subi %p, %whole : index
    pl.write %f, %y[%q, %r] : f32, !x
  }
  return
}

// CHECK-LABEL: @keep_a_column_too_many_in_order
func.func @keep_a_column_too_many_in_order(%x: !x, %y: !v, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !x
  %N = pl.bind "N" %x[1] : !x
  %more = arith.addi %N, %c1 : index
  // CHECK-NOT: independent
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %M step %c1 {
    scf.for %j = %c0 to %more step %c1 {
      %first = arith.muli %i, %N : index
      %at = arith.addi %first, %j : index
      // expected-note @+1 {{written here, where windows are not known to be as far apart as they are long}}
      pl.write %f, %y[%at] : f32, !v
    }
  }
  return
}

// CHECK-LABEL: @keep_a_remainder_of_another_quotient_in_order
func.func @keep_a_remainder_of_another_quotient_in_order(%y: !x, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  // CHECK-NOT: independent
  // expected-remark @+1 {{runs in order}}
  pl.parallel %p = %c0 to %n step %c1 {
    %q = arith.floordivsi %p, %c4 : index
    %other = arith.floordivsi %p, %c3 : index
    %whole = arith.muli %other, %c3 : index
    %r = arith.subi %p, %whole : index
    // expected-note @+1 {{written here}}
    pl.write %f, %y[%q, %r] : f32, !x
  }
  return
}

// CHECK-LABEL: @keep_a_pitch_from_data_in_order
func.func @keep_a_pitch_from_data_in_order(%y: !v, %t: !pl.tensor<[?], i64>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %t[0] : !pl.tensor<[?], i64>
  // CHECK-NOT: independent
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %M step %c1 {
    %word = pl.read %t[%i] : !pl.tensor<[?], i64>
    %n = arith.index_cast %word : i64 to index
    %at = arith.muli %i, %n : index
    // expected-note @+1 {{written here, where data says: if no two iterations find the same index there, say so}}
    pl.write %f, %y[%at] : f32, !v
  }
  return
}
