// RUN: tegula-opt %s --tegula-warn-unbalanced-signals --split-input-file --verify-diagnostics
// RUN: not tegula-opt %s --tegula-warn-unbalanced-signals=strict --split-input-file 2>&1 | FileCheck %s
// CHECK: error: this waits for ever

func.func @nothing_changes_it(%bytes: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = pl.alloc_window %bytes : !pl.tensor<[?], ui8>
  %s = pl.retype %w, [%c2] : !pl.tensor<[?], ui8> -> !pl.tensor<[2], i32>
  pl.notify add %s[%c1] at %c0, %c1 : !pl.tensor<[2], i32>
  pl.wait ge %s[%c1], %c1 : !pl.tensor<[2], i32>
  // expected-warning @+1 {{this waits for ever: the signal never reaches 1, because nothing changes it}}
  pl.wait ge %s[%c0], %c1 : !pl.tensor<[2], i32>
  return
}

// -----

func.func @sums_skip_it(%bytes: index, %peer: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %w = pl.alloc_window %bytes : !pl.tensor<[?], ui8>
  %s = pl.retype %w, [%c1] : !pl.tensor<[?], ui8> -> !pl.tensor<[1], i32>
  // expected-note @+1 {{here it grows by 2}}
  pl.notify add %s[%c0] at %peer, %c2 : !pl.tensor<[1], i32>
  pl.wait ge %s[%c0], %c3 : !pl.tensor<[1], i32>
  // expected-warning @+1 {{this waits for ever: the signal never is 3}}
  pl.wait eq %s[%c0], %c3 : !pl.tensor<[1], i32>
  return
}

// -----

func.func @set_too_low(%bytes: index, %peer: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = pl.alloc_window %bytes : !pl.tensor<[?], ui8>
  %s = pl.retype %w, [%c1] : !pl.tensor<[?], ui8> -> !pl.tensor<[1], i32>
  // expected-note @+1 {{here it becomes 1}}
  pl.notify set %s[%c0] at %peer, %c1 : !pl.tensor<[1], i32>
  // expected-warning @+1 {{this waits for ever: the signal never reaches 2}}
  pl.wait ge %s[%c0], %c2 : !pl.tensor<[1], i32>
  return
}

// -----

func.func @nobody_waits(%bytes: index, %peer: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = pl.alloc_window %bytes : !pl.tensor<[?], ui8>
  %s = pl.retype %w, [%c1] : !pl.tensor<[?], ui8> -> !pl.tensor<[1], i32>
  // expected-warning @+1 {{nobody waits for this signal}}
  pl.notify add %s[%c0] at %peer, %c1 : !pl.tensor<[1], i32>
  return
}

// -----

func.func @some_ranks_synchronise(%root: index) {
  %rank = pl.rank
  %is_root = arith.cmpi eq, %rank, %root : index
  // expected-note @+1 {{this depends on the number of the rank}}
  scf.if %is_root {
    // expected-warning @+1 {{not all ranks come here, where all must synchronise}}
    pl.meet "barrier" []
  }
  return
}

// -----

func.func @synchronise_as_often_as_the_rank() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = pl.rank
  // expected-note @+1 {{this depends on the number of the rank}}
  scf.for %i = %c0 to %rank step %c1 {
    // expected-warning @+1 {{not all ranks come here, where all must synchronise}}
    pl.meet "barrier" []
  }
  return
}

// -----

func.func @keep_what_comes_out_even(%bytes: index, %root: index, %value: index, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = pl.alloc_window %bytes : !pl.tensor<[?], ui8>
  %s = pl.retype %w, [%c2] : !pl.tensor<[?], ui8> -> !pl.tensor<[2], i32>
  %rank = pl.rank
  %is_root = arith.cmpi eq, %rank, %root : index
  scf.if %is_root {
    pl.notify add %s[%c0] at %root, %value : !pl.tensor<[2], i32>
    pl.meet "barrier" []
  } else {
    pl.meet "barrier" []
  }
  scf.if %flag {
    pl.meet "barrier" []
  }
  pl.wait eq %s[%c0], %c2 : !pl.tensor<[2], i32>
  pl.wait ge %s[%c1], %c0 : !pl.tensor<[2], i32>
  return
}

// -----

func.func @keep_what_is_stored(%bytes: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %w = pl.alloc_window %bytes : !pl.tensor<[?], ui8>
  %s = pl.retype %w, [%c1] : !pl.tensor<[?], ui8> -> !pl.tensor<[1], i32>
  pl.write %one, %s[%c0] : i32, !pl.tensor<[1], i32>
  pl.wait eq %s[%c0], %c1 : !pl.tensor<[1], i32>
  return
}
