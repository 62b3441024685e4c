// RUN: tegula-opt %s --split-input-file --verify-diagnostics
// What pl.at, pl.parallel and pl.yield refuse.

func.func @at_results(%x: f32) {
  // expected-error @+1 {{yields 1 values that do not match its 0 results}}
  pl.at core_group {
    pl.yield %x : f32
  }
  return
}

// -----

func.func @at_types(%x: f32) {
  // expected-error @+1 {{yields 1 values that do not match its 1 results}}
  %r = pl.at core_group -> f16 {
    pl.yield %x : f32
  }
  return
}

// -----

func.func @parallel_argument(%n: index) {
  // expected-error @+1 {{body must have one index argument}}
  "pl.parallel"(%n, %n, %n) ({
  ^bb0(%i: i32):
    pl.yield
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @parallel_carries(%n: index) {
  // expected-error @+1 {{carries no values from one iteration to the next}}
  pl.parallel %i = %n to %n step %n {
    pl.yield %i : index
  }
  return
}

// -----

func.func @parallel_syntax(%n: index) {
  // expected-error @+1 {{expected 'to'}}
  pl.parallel %i = %n until %n step %n {
  }
  return
}

// -----

func.func @yield_parent() {
  // expected-error @+1 {{expects parent op to be one of}}
  pl.yield
}
