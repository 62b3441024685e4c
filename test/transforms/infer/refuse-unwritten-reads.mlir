// RUN: tegula-opt %s --tegula-refuse-unwritten-reads --split-input-file --verify-diagnostics

!t = !pl.tensor<[?], f32>
!v = !pl.tile<[?], f32>

func.func @nothing_is_written(%n: index, %y: !t) {
  // expected-note @+1 {{made here; write to it first, or give pl.create_tensor an init_value}}
  %t = pl.create_tensor [%n] : !t
  // expected-error @+1 {{a tensor is read to which nothing has been written}}
  %a = pl.load %t : !t
  pl.store %a, %y : !v, !t
  return
}

// -----

!t = !pl.tensor<[?], f32>
!v = !pl.tile<[?], f32>

func.func @written_too_late(%n: index, %x: !t, %y: !t) {
  // expected-note @+1 {{made here}}
  %t = pl.create_tensor [%n] : !t
  // expected-error @+1 {{a tensor is read to which nothing has been written}}
  %a = pl.load %t : !t
  pl.store %a, %y : !v, !t
  %b = pl.load %x : !t
  pl.store %b, %t : !v, !t
  return
}

// -----

!t = !pl.tensor<[?], f32>
!v = !pl.tile<[?], f32>

func.func @written_in_the_other_branch(%n: index, %c: i1, %x: !t, %y: !t) {
  // expected-note @+1 {{made here}}
  %t = pl.create_tensor [%n] : !t
  scf.if %c {
    %b = pl.load %x : !t
    pl.store %b, %t : !v, !t
  } else {
    // expected-error @+1 {{a tensor is read to which nothing has been written}}
    %a = pl.load %t : !t
    pl.store %a, %y : !v, !t
  }
  return
}

// -----

!t = !pl.tensor<[?], f32>
!v = !pl.tile<[?], f32>

func.func @made_anew_in_each_iteration(%n: index, %x: !t, %y: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-note @+1 {{made here}}
    %t = pl.create_tensor [%n] : !t
    // expected-error @+1 {{a tensor is read to which nothing has been written}}
    %a = pl.load %t : !t
    pl.store %a, %y : !v, !t
    %b = pl.load %x : !t
    pl.store %b, %t : !v, !t
  }
  return
}

// -----

!t = !pl.tensor<[?], f32>
!v = !pl.tile<[?], f32>

func.func @through_a_view(%n: index, %y: !pl.tensor<[?], f32>) {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{made here}}
  %t = pl.create_tensor [%n] : !t
  %w = pl.slice %t[%c0] [%n] : !t -> !t
  // expected-error @+1 {{a tensor is read to which nothing has been written}}
  %s = pl.read %w[%c0] : !t
  pl.write %s, %y[%c0] : f32, !t
  return
}

// -----

!t = !pl.tensor<[?], f32>
!v = !pl.tile<[?], f32>

func.func @written_before(%n: index, %x: !t, %y: !t) {
  %t = pl.create_tensor [%n] : !t
  %b = pl.load %x : !t
  pl.store %b, %t : !v, !t
  %a = pl.load %t : !t
  pl.store %a, %y : !v, !t
  return
}

func.func @written_in_part(%n: index, %y: !t) {
  %c0 = arith.constant 0 : index
  %s = arith.constant 1.0 : f32
  %t = pl.create_tensor [%n] : !t
  %w = pl.slice %t[%c0] [%n] : !t -> !t
  pl.write %s, %w[%c0] : f32, !t
  %a = pl.load %t : !t
  pl.store %a, %y : !v, !t
  return
}

func.func @written_in_an_earlier_iteration(%n: index, %x: !t, %y: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.create_tensor [%n] : !t
  scf.for %i = %c0 to %n step %c1 {
    %a = pl.load %t : !t
    pl.store %a, %y : !v, !t
    %b = pl.load %x : !t
    pl.store %b, %t : !v, !t
  }
  return
}

// -----

!t = !pl.tensor<[4], f32>
!v = !pl.tile<[4], f32>

// The first iteration gives it a value.
func.func @placeholder(%n: index, %x: !t, %y: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = pl.create_tensor [%c4] : !t
  %a = pl.load %t : !t
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> !v {
    %b = pl.load %x : !t
    %first = arith.cmpi eq, %i, %c0 : index
    %next = scf.if %first -> !v {
      scf.yield %b : !v
    } else {
      %more = pl.add %s, %b : !v, !v
      scf.yield %more : !v
    }
    scf.yield %next : !v
  }
  pl.store %sum, %y : !v, !t
  return
}

// -----

!t = !pl.tensor<[4], f32>
!v = !pl.tile<[4], f32>

// It does not: the second one would.
func.func @read_in_the_first_iteration(%n: index, %x: !t, %y: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-note @+1 {{made here; give pl.create_tensor an init_value, or use pl.full}}
  %t = pl.create_tensor [%c4] : !t
  %a = pl.load %t : !t
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> !v {
    %b = pl.load %x : !t
    %first = arith.cmpi eq, %i, %c1 : index
    %next = scf.if %first -> !v {
      scf.yield %b : !v
    } else {
      // expected-warning @+1 {{a tensor is read to which nothing has been written; it is taken to be zero}}
      %more = pl.add %s, %b : !v, !v
      scf.yield %more : !v
    }
    scf.yield %next : !v
  }
  pl.store %sum, %y : !v, !t
  return
}

// -----

!t = !pl.tensor<[?], f32>
!v = !pl.tile<[?], f32>

func.func @written_in_a_branch_only(%n: index, %c: i1, %x: !t, %y: !t) {
  // expected-note @+1 {{made here; give pl.create_tensor an init_value, or write to it in the other branch as well}}
  %t = pl.create_tensor [%n] : !t
  scf.if %c {
    %b = pl.load %x : !t
    pl.store %b, %t : !v, !t
  }
  // expected-warning @+1 {{a tensor is read that is written in a branch only; where that does not run, what is in it is undefined}}
  %a = pl.load %t : !t
  pl.store %a, %y : !v, !t
  %again = pl.load %t : !t
  pl.store %again, %y : !v, !t
  return
}

// -----

!t = !pl.tensor<[?], f32>
!v = !pl.tile<[?], f32>

// Both branches write, or a loop does in some iteration: nothing to say.

func.func @written_in_both_branches(%n: index, %c: i1, %x: !t, %y: !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.create_tensor [%n] : !t
  %u = pl.create_tensor [%n] : !t
  %b = pl.load %x : !t
  scf.if %c {
    pl.store %b, %t : !v, !t
  } else {
    pl.store %b, %t : !v, !t
  }
  %a = pl.load %t : !t
  pl.store %a, %y : !v, !t
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      pl.store %b, %u : !v, !t
    }
  }
  %d = pl.load %u : !t
  pl.store %d, %y : !v, !t
  return
}
