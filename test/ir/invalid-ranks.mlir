// RUN: tegula-opt %s --split-input-file --verify-diagnostics
// What the ops of programs over ranks refuse.

func.func @window_of_numbers(%n: index) {
  // expected-error @+1 {{gives bytes, not '!pl.tensor<[?], f32>'}}
  %w = pl.alloc_window %n : !pl.tensor<[?], f32>
  return
}

// -----

func.func @window_of_two_axes(%n: index) {
  // expected-error @+1 {{gives bytes, not '!pl.tensor<[?, 2], ui8>'}}
  %w = pl.alloc_window %n : !pl.tensor<[?, 2], ui8>
  return
}

// -----

func.func @retype_of_numbers(%x: !pl.tensor<[?], f32>, %n: index) {
  // expected-error @+1 {{takes bytes, not '!pl.tensor<[?], f32>'}}
  %w = pl.retype %x, [%n] : !pl.tensor<[?], f32> -> !pl.tensor<[?], i32>
  return
}

// -----

func.func @sizes_of_another_rank(%x: !pl.tensor<[?], ui8>, %n: index) {
  // expected-error @+1 {{expects 2 sizes, got 1}}
  %w = pl.retype %x, [%n] : !pl.tensor<[?], ui8> -> !pl.tensor<[?, ?], i32>
  return
}

// -----

func.func @end_of_reading(%x: !pl.tensor<[?], f32>, %r: index) {
  %v = pl.peer read %x at %r : !pl.tensor<[?], f32>
  // expected-error @+1 {{ends a pl.peer that writes}}
  pl.peer_end %v : !pl.tensor<[?], f32>
  return
}

// -----

func.func @end_of_own_memory(%x: !pl.tensor<[?], f32>) {
  // expected-error @+1 {{ends a pl.peer that writes}}
  pl.peer_end %x : !pl.tensor<[?], f32>
  return
}

// -----

func.func @signal_of_floats(%s: !pl.tensor<[?], f32>, %i: index) {
  // expected-error @+1 {{takes a signal of i32, got '!pl.tensor<[?], f32>'}}
  pl.notify add %s[%i] at %i, %i : !pl.tensor<[?], f32>
  return
}

// -----

func.func @too_few_indices(%s: !pl.tensor<[?, 1], i32>, %i: index) {
  // expected-error @+1 {{expects 2 indices, got 1}}
  pl.wait ge %s[%i], %i : !pl.tensor<[?, 1], i32>
  return
}

// -----

func.func @dispatch_that_says_too_little(%x: !pl.tensor<[?], f32>, %r: index) {
  // expected-error @+1 {{says of each tensor whether it is read and written}}
  %mine = pl.dispatch %r, %x [true] [] : !pl.tensor<[?], f32>
  return
}

// -----

func.func @shared_scalar(%x: !pl.tensor<[?], f32>) {
  // expected-error @+1 {{'pl.shared' is a unit attribute of a tensor that is}}
  %t = pl.load %x {pl.shared} : !pl.tensor<[?], f32>
  return
}
