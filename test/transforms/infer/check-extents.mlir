// RUN: tegula-opt %s --tegula-check-extents=explain --split-input-file --verify-diagnostics

!v = !pl.tensor<[?], f32>

func.func @inside(%x: !v) {
  %M = pl.bind "M" %x[0] : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %M step %c1 {
    // expected-remark @+1 {{proved: the index of axis 0 is in range}}
    %s = pl.read %x[%i] : !v
  }
  return
}

// -----

!v = !pl.tensor<[?], f32>

func.func @beyond_in_the_last_iteration(%x: !v) {
  %M = pl.bind "M" %x[0] : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %M step %c1 {
    %j = arith.addi %i, %c1 : index
    // expected-error @+1 {{the index of axis 0 is out of range whenever this runs; for M = 1 it is 1 and the extent 1}}
    %s = pl.read %x[%j] : !v
  }
  return
}

// -----

!v = !pl.tensor<[?], f32>

func.func @below_in_the_first_iteration(%x: !v) {
  %M = pl.bind "M" %x[0] : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %M step %c1 {
    %j = arith.subi %i, %c1 : index
    // expected-error @+1 {{the start of the window along axis 0 is out of range whenever this runs; for M = 1 it is -1}}
    %s = pl.slice %x[%j] [%c1] : !v -> !pl.tensor<[upto 1], f32>
  }
  return
}

// -----

!v = !pl.tensor<[?], f32>

// The first iteration is left out, so some calls are right.
func.func @guarded(%x: !v) {
  %M = pl.bind "M" %x[0] : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %M step %c1 {
    %p = arith.cmpi sgt, %i, %c0 : index
    scf.if %p {
      %j = arith.subi %i, %c1 : index
      // expected-remark @+1 {{proved: the index of axis 0 is in range}}
      %s = pl.read %x[%j] : !v
    }
  }
  return
}

// -----

!v = !pl.tensor<[?], f32>

func.func @depends_on_the_call(%x: !v, %n: index {pl.name = "n"}) {
  %M = pl.bind "M" %x[0] : !v
  %c3 = arith.constant 3 : index
  // expected-remark @+1 {{checked at run time: the index of axis 0 is in range; for M = 1 it is 3 and the extent 1}}
  %s = pl.read %x[%c3] : !v
  // expected-remark @+1 {{checked at run time: the index of axis 0 is in range; for M = 0, n = -2 it is -2 and the extent 0}}
  %t = pl.read %x[%n] : !v
  return
}

// -----

!v = !pl.tensor<[?], f32>

func.func @window_of_a_window(%x: !v) {
  %M = pl.bind "M" %x[0] : !v
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %M step %c8 {
    // expected-remark @+1 {{proved: the start of the window along axis 0 is in range}}
    %w = pl.slice %x[%i] [%c8] : !v -> !pl.tensor<[upto 8], f32>
    // expected-remark @+1 {{proved: the index of axis 0 is in range}}
    %s = pl.read %w[%c0] : !pl.tensor<[upto 8], f32>
    // expected-remark @+1 {{checked at run time: the index of axis 0 is in range; for M = 1 it is 7 and the extent 1}}
    %t = pl.read %w[%c7] : !pl.tensor<[upto 8], f32>
  }
  return
}

// -----

!v = !pl.tensor<[?], f32>

// How often the inner loop runs depends on the outer one: what is wrong in the last iteration of both, where there is
// one, need not be wrong elsewhere.
func.func @inner_loop_that_shrinks(%x: !v) {
  %M = pl.bind "M" %x[0] : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %M step %c1 {
    %left = arith.subi %c3, %i : index
    %end = arith.maxsi %left, %c0 : index
    scf.for %j = %c0 to %end step %c1 {
      // expected-remark @+1 {{checked at run time: the index of axis 0 is in range; for M = 1 it is 3 and the extent 1}}
      %s = pl.read %x[%c3] : !v
    }
  }
  return
}

// -----

func.func @end_of_a_loop() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %near = arith.constant 9223372036854775805 : index
  %end = arith.constant 9223372036854775807 : index
  scf.for %i = %c0 to %near step %c3 {
  }
  // expected-error @+1 {{the loop ends at 9223372036854775807, and a step of 3 beyond it does not fit 64 bits}}
  scf.for %i = %c0 to %end step %c3 {
  }
  return
}
