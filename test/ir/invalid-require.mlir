// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @names(%c: i1, %M: index) {
  // expected-error @+1 {{expects 1 names, got 2}}
  pl.require %c, "M > 0", "assumed" ["M", "N"](%M)
  return
}

// -----

func.func @origin(%c: i1) {
  // expected-error @+1 {{origin must be assumed, declared or derived, got nobody}}
  pl.require %c, "M > 0", "nobody" []()
  return
}

// -----

func.func @placeholders(%i: index) {
  // expected-error @+1 {{has 2 placeholders for 1 values}}
  pl.print "{} of {}" (%i) : index
  return
}

// -----

func.func @doubled_braces_are_no_place(%i: index) {
  // expected-error @+1 {{has 0 placeholders for 1 values}}
  pl.print "{{}}" (%i) : index
  return
}

// -----

func.func @iterations_of_a_print(%i: index) {
  // expected-error @+1 {{expects 2 names, got 1}}
  pl.print "here" () at ["i"](%i, %i)
  return
}

// -----

func.func @printed_tile(%t: !pl.tile<[8], f32>) {
  // expected-error @+1 {{operand #0 must be variadic of}}
  pl.print "{}" (%t) : !pl.tile<[8], f32>
  return
}

// -----

func.func @iterations_of_an_assertion(%c: i1, %i: index) {
  // expected-error @+1 {{expects 1 names, got 2}}
  pl.assert %c, "k", "small" at ["i", "j"](%i)
  return
}

// -----

func.func @condition(%c: i32) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{expects different type than prior uses: 'i1' vs 'i32'}}
  pl.assert %c, "k", "small"
  return
}
