// RUN: tegula-opt %s --split-input-file --verify-diagnostics
// What the elementwise ops refuse.

func.func @ranks(%a: !pl.tile<[8], f32>, %b: !pl.tile<[8, 1], f32>) {
  // expected-error @+1 {{ranks differ: 1 and 2}}
  %r = pl.add %a, %b : !pl.tile<[8], f32>, !pl.tile<[8, 1], f32>
  return
}

// -----

func.func @extents(%a: !pl.tile<[8, 4], f32>, %b: !pl.tile<[8, 5], f32>) {
  // expected-error @+1 {{extents differ on axis 1: 4 and 5}}
  %r = pl.mul %a, %b : !pl.tile<[8, 4], f32>, !pl.tile<[8, 5], f32>
  return
}

// -----

func.func @tile_and_scalar(%a: !pl.tile<[8], f32>, %b: f32) {
  // expected-error @+1 {{operands must be all tiles or all scalars}}
  %r = pl.sub %a, %b : !pl.tile<[8], f32>, f32
  return
}

// -----

func.func @elements(%a: !pl.tile<[8], f32>, %b: !pl.tile<[8], f16>) {
  // expected-error @+1 {{element types differ: FP32 and FP16}}
  %r = pl.add %a, %b : !pl.tile<[8], f32>, !pl.tile<[8], f16>
  return
}

// -----

func.func @comparison(%a: i32, %b: ui32) {
  // expected-error @+1 {{element types differ: INT32 and UINT32}}
  %r = pl.cmp lt %a, %b : i32, ui32
  return
}

// -----

func.func @select(%m: i1, %a: f32, %b: f16) {
  // expected-error @+1 {{element types differ: FP32 and FP16}}
  %r = pl.select %m, %a, %b : i1, f32, f16
  return
}

// -----

func.func @select_extents(%m: !pl.tile<[4], i1>, %a: !pl.tile<[8], f32>) {
  // expected-error @+1 {{extents differ on axis 0: 4 and 8}}
  %r = pl.select %m, %a, %a : !pl.tile<[4], i1>, !pl.tile<[8], f32>, !pl.tile<[8], f32>
  return
}

// -----

func.func @mask(%m: i8, %a: f32) {
  // expected-error @+1 {{must be tile or scalar of booleans, but got 'i8'}}
  %r = pl.select %m, %a, %a : i8, f32, f32
  return
}

// -----

func.func @float_op(%a: i32) {
  // expected-error @+1 {{must be tile or scalar of floats, but got 'i32'}}
  %r = pl.exp %a : i32
  return
}

// -----

func.func @integer_op(%a: f32) {
  // expected-error @+1 {{must be tile or scalar of integers or booleans, but got 'f32'}}
  %r = pl.not_ %a : f32
  return
}

// -----

func.func @number_op(%a: i1) {
  // expected-error @+1 {{must be tile or scalar of numbers, but got 'i1'}}
  %r = pl.neg %a : i1
  return
}

// -----

func.func @index(%a: index) {
  // expected-error @+1 {{must be tile or scalar of any element type, but got 'index'}}
  %r = pl.cmp eq %a, %a : index, index
  return
}

// -----

func.func @cast_extents(%a: !pl.tile<[8], f32>) {
  // expected-error @+1 {{changes the element type only}}
  %r = pl.cast %a none : !pl.tile<[8], f32> -> !pl.tile<[4], f16>
  return
}

// -----

func.func @cast_to_scalar(%a: !pl.tile<[8], f32>) {
  // expected-error @+1 {{changes the element type only}}
  %r = pl.cast %a none : !pl.tile<[8], f32> -> f16
  return
}

// -----

func.func @cast_odd(%a: f16) {
  // expected-error @+1 {{mode odd is for casts to a narrower float, got FP16 to FP32}}
  %r = pl.cast %a odd : f16 -> f32
  return
}

// -----

func.func @result(%a: !pl.tile<[8], f32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) '!pl.tile<[8], f32>' are incompatible with return type(s) of operation '!pl.tile<[4], f32>'}}
  %r = "pl.neg"(%a) : (!pl.tile<[8], f32>) -> !pl.tile<[4], f32>
  return
}
