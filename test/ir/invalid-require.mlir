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

func.func @doubled_braces_are_no_placeholder(%i: index) {
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

// -----

// Requirements of an entry are checked before it runs, others where they stand:
// a loop before them knows nothing of them.

func.func @required_by_the_call(%x: !pl.tensor<[?], f32>, %f: f32) attributes {pl.kind = #pl.kind<entry>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  scf.for %i = %c0 to %c4 step %c1 {
    %t = pl.full %f, [%M] : f32 -> <[upto 4], f32>
    pl.store %t, %x : <[upto 4], f32>, <[?], f32>
  }
  %holds = arith.cmpi sle, %M, %c4 : index
  pl.require %holds, "M <= 4", "assumed" ["M"](%M)
  return
}

func.func @required_too_late(%x: !pl.tensor<[?], f32>, %f: f32) attributes {pl.kind = #pl.kind<incore>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @+1 {{says that axis 0 is at most 4, which does not follow from its operands}}
    %t = pl.full %f, [%M] : f32 -> <[upto 4], f32>
    pl.store %t, %x : <[upto 4], f32>, <[?], f32>
  }
  %holds = arith.cmpi sle, %M, %c4 : index
  pl.require %holds, "M <= 4", "assumed" ["M"](%M)
  return
}

// -----

func.func @required_first(%x: !pl.tensor<[?], f32>, %f: f32) attributes {pl.kind = #pl.kind<incore>} {
  %c4 = arith.constant 4 : index
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %holds = arith.cmpi sle, %M, %c4 : index
  pl.require %holds, "M <= 4", "assumed" ["M"](%M)
  %t = pl.full %f, [%M] : f32 -> <[upto 4], f32>
  pl.store %t, %x : <[upto 4], f32>, <[?], f32>
  return
}
