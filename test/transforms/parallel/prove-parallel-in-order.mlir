// RUN: tegula-opt %s --tegula-prove-parallel --verify-diagnostics | FileCheck %s

// Loops that are almost independent.

!x = !pl.tensor<[?, ?], f32>
!v = !pl.tensor<[?], f32>

// CHECK-NOT: independent

// Each window is as long as the pitch, and they begin where the sum of both digits says.
func.func @digits_on_one_axis(%y: !v, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-remark @+1 {{runs in order}}
  pl.parallel %p = %c0 to %n step %c1 {
    %q = arith.floordivsi %p, %c4 : index
    %whole = arith.muli %q, %c4 : index
    %r = arith.subi %p, %whole : index
    %at = arith.addi %q, %r : index
    // expected-note @+1 {{written here}}
    pl.write %f, %y[%at] : f32, !v
  }
  return
}

// Where the groups of rows are is in a table.
func.func @groups_of_a_table(%y: !v, %table: !pl.tensor<[?], i32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{runs in order}}
  pl.parallel %g = %c0 to %n step %c1 {
    %next = arith.addi %g, %c1 : index
    %a = pl.read %table[%g] : !pl.tensor<[?], i32>
    %b = pl.read %table[%next] : !pl.tensor<[?], i32>
    %from = arith.index_cast %a : i32 to index
    %to = arith.index_cast %b : i32 to index
    scf.for %i = %from to %to step %c1 {
      // expected-note @+1 {{where data says: if no two iterations find the same index there, say so}}
      pl.write %f, %y[%i] : f32, !v
    }
  }
  return
}

// Two slots are one row apart.
func.func @reads_the_next_slot(%x: !x, %y: !v) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !x
  %N = pl.bind "N" %x[1] : !x
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %M step %c1 {
    %first = arith.muli %i, %N : index
    %second = arith.addi %first, %N : index
    %from = pl.slice %y[%second] [%N] : !v -> !v
    %to = pl.slice %y[%first] [%N] : !v -> !v
    %t = pl.load %from : !v
    // expected-note @+1 {{written here}}
    pl.store %t, %to : !pl.tile<[?], f32>, !v
  }
  return
}

// The pitch is N in one window and M in the other.
func.func @pitches_that_differ(%x: !x, %y: !v, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !x
  %N = pl.bind "N" %x[1] : !x
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c1 to %M step %c1 {
    %one = arith.muli %i, %N : index
    %other = arith.muli %i, %M : index
    // expected-note @+1 {{written here}}
    pl.write %f, %y[%one] : f32, !v
    pl.write %f, %y[%other] : f32, !v
  }
  return
}

// Every window lies in its slot, but where slots begin changes with data.
func.func @a_base_from_data(%x: !x, %y: !v, %t: !pl.tensor<[?], i32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0], %t[0] : !x, !pl.tensor<[?], i32>
  %N = pl.bind "N" %x[1] : !x
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %M step %c1 {
    %word = pl.read %t[%i] : !pl.tensor<[?], i32>
    %base = arith.index_cast %word : i32 to index
    %first = arith.muli %i, %N : index
    %at = arith.addi %first, %base : index
    // expected-note @+1 {{written here, where data says}}
    pl.write %f, %y[%at] : f32, !v
  }
  return
}

// What is read from memory is the same value in no two iterations, though its index is.
func.func @a_pitch_that_is_written(%x: !x, %y: !v, %t: !pl.tensor<[1], i32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !x
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %M step %c1 {
    %word = pl.read %t[%c0] : !pl.tensor<[1], i32>
    %pitch = arith.index_cast %word : i32 to index
    %at = arith.muli %i, %pitch : index
    // expected-note @+1 {{written here}}
    pl.write %f, %y[%at] : f32, !v
  }
  return
}

// The inner loop begins one element before the slot.
func.func @starts_before_the_slot(%x: !x, %y: !v, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %M = pl.bind "M" %x[0] : !x
  %N = pl.bind "N" %x[1] : !x
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c1 to %M step %c1 {
    scf.for %j = %c0 to %N step %c1 {
      %first = arith.muli %i, %N : index
      %next = arith.addi %first, %j : index
      %at = arith.subi %next, %c1 : index
      // expected-note @+1 {{written here}}
      pl.write %f, %y[%at] : f32, !v
      pl.write %f, %y[%next] : f32, !v
    }
  }
  return
}

// One row apart, whatever the length of the step, if that may be 1.
func.func @windows_longer_than_the_step(%y: !v, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = pl.bind "N" %y[0] : !v
  %step = arith.maxsi %s, %c1 : index
  %size = arith.addi %step, %c1 : index
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %n step %step {
    %to = pl.slice %y[%i] [%size] : !v -> !v
    %t = pl.load %to : !v
    // expected-note @+1 {{written here}}
    pl.store %t, %to : !pl.tile<[?], f32>, !v
  }
  return
}
