// RUN: tegula-opt %s --split-input-file --verify-diagnostics
// What the ops on whole tiles refuse.

func.func @full_element(%v: f16, %n: index) {
  // expected-error @+1 {{cannot fill a tile of FP32 with a FP16}}
  %t = pl.full %v, [%n] : f16 -> !pl.tile<[?], f32>
  return
}

// -----

func.func @full_sizes(%v: f32, %n: index) {
  // expected-error @+1 {{expects 2 sizes, got 1}}
  %t = pl.full %v, [%n] : f32 -> !pl.tile<[?, ?], f32>
  return
}

// -----

func.func @full_bound(%v: f32) {
  %c9 = arith.constant 9 : index
  // expected-error @+1 {{size 9 of axis 0 does not fit the result type}}
  %t = pl.full %v, [%c9] : f32 -> !pl.tile<[upto 8], f32>
  return
}

// -----

func.func @arange_element(%v: i1, %n: index) {
  // expected-error @+1 {{start must be a number of the element type, got BOOL}}
  %t = pl.arange %v, [%n] : i1 -> !pl.tile<[?], i1>
  return
}

// -----

func.func @arange_rank(%v: f32) {
  // expected-error @+1 {{needs at least one axis}}
  %t = pl.arange %v, [] : f32 -> !pl.tile<[], f32>
  return
}

// -----

func.func @broadcast_element(%t: !pl.tile<[8], f32>, %n: index) {
  // expected-error @+1 {{cannot change the element type}}
  %r = pl.broadcast %t, [%n] : !pl.tile<[8], f32> -> !pl.tile<[?], f16>
  return
}

// -----

func.func @broadcast_rank(%t: !pl.tile<[8, 8], f32>, %n: index) {
  // expected-error @+1 {{cannot remove axes: source has rank 2, result 1}}
  %r = pl.broadcast %t, [%n] : !pl.tile<[8, 8], f32> -> !pl.tile<[?], f32>
  return
}

// -----

func.func @broadcast_extent(%t: !pl.tile<[8], f32>, %n: index) {
  // expected-error @+1 {{axis 0 is not of extent 1 and must keep its extent}}
  %r = pl.broadcast %t, [%n] : !pl.tile<[8], f32> -> !pl.tile<[?], f32>
  return
}

// -----

func.func @broadcast_of_none(%t: !pl.tile<[upto 1], f32>, %n: index) {
  // expected-error @+1 {{axis 0 is repeated from at most 1 and cannot be exactly 8}}
  %r = pl.broadcast %t, [%n] : !pl.tile<[upto 1], f32> -> !pl.tile<[8], f32>
  return
}

// -----

func.func @reduce_axis(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %r = pl.reduce sum %t axis 2 : !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @reduce_negative_axis(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{axis -1 is out of range for rank 2}}
  %r = pl.reduce sum %t axis -1 : !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @reduce_element(%t: !pl.tile<[8], i1>) {
  // expected-error @+1 {{cannot reduce elements of type BOOL}}
  %r = pl.reduce max %t axis 0 : !pl.tile<[8], i1>
  return
}

// -----

func.func @matmul_rank(%a: !pl.tile<[8], f32>, %b: !pl.tile<[8, 4], f32>) {
  // expected-error @+1 {{operands must have rank 2 or more, got 1 and 2}}
  %r = pl.matmul %a, %b : !pl.tile<[8], f32>, !pl.tile<[8, 4], f32>
  return
}

// -----

func.func @matmul_element(%a: !pl.tile<[8, 8], f32>, %b: !pl.tile<[8, 4], f16>) {
  // expected-error @+1 {{cannot multiply elements of type FP32 and FP16}}
  %r = pl.matmul %a, %b : !pl.tile<[8, 8], f32>, !pl.tile<[8, 4], f16>
  return
}

// -----

func.func @matmul_inner(%a: !pl.tile<[2, 8], f32>, %b: !pl.tile<[7, 4], f32>) {
  // expected-error @+1 {{inner extents differ: lhs has 8 columns, rhs has 7 rows}}
  %r = pl.matmul %a, %b : !pl.tile<[2, 8], f32>, !pl.tile<[7, 4], f32>
  return
}

// -----

func.func @matmul_inner_transposed(%a: !pl.tile<[2, 8], f32>) {
  // expected-error @+1 {{inner extents differ: lhs has 2 columns, rhs has 8 rows}}
  %r = pl.matmul %a, %a {transpose_lhs, transpose_rhs} : !pl.tile<[2, 8], f32>, !pl.tile<[2, 8], f32>
  return
}

// -----

func.func @matmul_acc_extents(%a: !pl.tile<[8, 8], f32>, %c: !pl.tile<[8, 9], f32>) {
  // expected-error @+1 {{extents differ on axis 1: 8 and 9}}
  %r = pl.matmul %a, %a acc %c : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>, !pl.tile<[8, 9], f32>
  return
}

// -----

func.func @matmul_batches(%a: !pl.tile<[2, 8, 8], f32>, %b: !pl.tile<[4, 3, 8, 8], f32>) {
  // expected-error @+1 {{extents differ on axis 1: 2 and 3}}
  %r = pl.matmul %a, %b : !pl.tile<[2, 8, 8], f32>, !pl.tile<[4, 3, 8, 8], f32>
  return
}

// -----

func.func @matmul_acc_rank(%a: !pl.tile<[2, 8, 8], f32>, %c: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{the accumulator must have rank 3, got 2}}
  %r = pl.matmul %a, %a acc %c : !pl.tile<[2, 8, 8], f32>, !pl.tile<[2, 8, 8], f32>, !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @matmul_acc_element(%a: !pl.tile<[8, 8], f16>) {
  // expected-error @+1 {{the accumulator of a matmul of FP16 must hold FP32, got FP16}}
  %r = pl.matmul %a, %a acc %a : !pl.tile<[8, 8], f16>, !pl.tile<[8, 8], f16>, !pl.tile<[8, 8], f16>
  return
}

// -----

func.func @matmul_precision(%a: !pl.tile<[8, 8], f16>) {
  // expected-error @+1 {{with precision tf32 takes operands of FP32, got FP16}}
  %r = pl.matmul %a, %a precision tf32 : !pl.tile<[8, 8], f16>, !pl.tile<[8, 8], f16>
  return
}

// -----

func.func @matmul_precision_of_eight_bits(%a: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{with precision fp8 takes operands of FP8, got FP32}}
  %r = pl.matmul %a, %a precision fp8 : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @reshape_element(%t: !pl.tile<[8], f32>, %n: index) {
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{cannot change the element type}}
  %r = pl.reshape %t, [%c8] : !pl.tile<[8], f32> -> !pl.tile<[8], f16>
  return
}

// -----

func.func @reshape_count(%t: !pl.tile<[8], f32>, %n: index) {
  // expected-error @+1 {{cannot turn 8 elements into 6}}
  %r = pl.reshape %t, [%n, %n] : !pl.tile<[8], f32> -> !pl.tile<[2, 3], f32>
  return
}

// -----

func.func @reshape_run_time(%t: !pl.tile<[upto 8], f32>, %n: index) {
  // expected-error @+1 {{with run-time extents may only add and remove axes of extent 1}}
  %r = pl.reshape %t, [%n, %n] : !pl.tile<[upto 8], f32> -> !pl.tile<[2, upto 4], f32>
  return
}

// -----

func.func @transpose_axis(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %r = pl.transpose %t [0, 2] : !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @transpose_twice(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{axis 0 appears twice}}
  %r = pl.transpose %t [0, 0] : !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @transpose_count(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{expected 2 axes, got 1}}
  %r = pl.transpose %t [1] : !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @concat_element(%a: !pl.tile<[8], f32>, %b: !pl.tile<[8], f16>) {
  // expected-error @+1 {{element types differ: FP32 and FP16}}
  %r = pl.concat %a, %b axis 0 : !pl.tile<[8], f32>, !pl.tile<[8], f16>
  return
}

// -----

func.func @concat_axis(%a: !pl.tile<[8], f32>) {
  // expected-error @+1 {{axis 1 is out of range for rank 1}}
  %r = pl.concat %a, %a axis 1 : !pl.tile<[8], f32>, !pl.tile<[8], f32>
  return
}

// -----

func.func @concat_rank(%a: !pl.tile<[8], f32>, %b: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{ranks differ: 1 and 2}}
  %r = pl.concat %a, %b axis 0 : !pl.tile<[8], f32>, !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @concat_extent(%a: !pl.tile<[8, 4], f32>, %b: !pl.tile<[8, 5], f32>) {
  // expected-error @+1 {{extents differ on axis 1: 4 and 5}}
  %r = pl.concat %a, %b axis 0 : !pl.tile<[8, 4], f32>, !pl.tile<[8, 5], f32>
  return
}

// -----

func.func @window_counts(%t: !pl.tile<[8], f32>, %n: index) {
  // expected-error @+1 {{expects 1 offsets and sizes, got 2 and 1}}
  %r = pl.window %t[%n, %n] [%n] : !pl.tile<[8], f32> -> !pl.tile<[upto 8], f32>
  return
}

// -----

func.func @window_rank(%t: !pl.tile<[8], f32>, %n: index) {
  // expected-error @+1 {{result must have rank 1, got 2}}
  %r = pl.window %t[%n] [%n] : !pl.tile<[8], f32> -> !pl.tile<[upto 8, 1], f32>
  return
}

// -----

func.func @window_element(%t: !pl.tile<[8], f32>, %n: index) {
  // expected-error @+1 {{cannot change the element type}}
  %r = pl.window %t[%n] [%n] : !pl.tile<[8], f32> -> !pl.tile<[upto 8], f16>
  return
}

// -----

func.func @insert_element(%s: !pl.tile<[4], f16>, %t: !pl.tile<[8], f32>, %n: index) {
  // expected-error @+1 {{element types differ: FP16 and FP32}}
  %r = pl.insert %s, %t[%n] : !pl.tile<[4], f16>, !pl.tile<[8], f32>
  return
}

// -----

func.func @insert_rank(%s: !pl.tile<[4], f32>, %t: !pl.tile<[8, 8], f32>, %n: index) {
  // expected-error @+1 {{source of rank 1 and 1 offsets do not fit a target of rank 2}}
  %r = pl.insert %s, %t[%n] : !pl.tile<[4], f32>, !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @fillpad_element(%t: !pl.tile<[8], f32>, %v: f16) {
  // expected-error @+1 {{cannot fill a tile of FP32 with a FP16}}
  %r = pl.fillpad %t, %v : !pl.tile<[8], f32>, f16
  return
}

// -----

func.func @fillpad_bound(%t: !pl.tile<[8, ?], f32>, %v: f32) {
  // expected-error @+1 {{axis 1 has no static bound to fill up to}}
  %r = pl.fillpad %t, %v : !pl.tile<[8, ?], f32>, f32
  return
}

// -----

func.func @relax_element(%t: !pl.tile<[8], f32>) {
  // expected-error @+1 {{changes what is known of the extents only}}
  %r = pl.relax %t : !pl.tile<[8], f32> -> !pl.tile<[8], f16>
  return
}

// -----

func.func @relax_more(%t: !pl.tile<[8, upto 8], f32>) {
  // expected-error @+1 {{result says more of axis 1 than the source}}
  %r = pl.relax %t : !pl.tile<[8, upto 8], f32> -> !pl.tile<[8, 8], f32>
  return
}

// -----

func.func @bound_without_a_reason(%v: f32, %n: index) {
  // expected-error @+1 {{says that axis 0 is at most 8, which does not follow from its operands}}
  %t = pl.full %v, [%n] : f32 -> !pl.tile<[upto 8], f32>
  return
}

// -----

func.func @exact_without_a_reason(%t: !pl.tile<[1, 4], f32>, %n: index) {
  // expected-error @+1 {{says that axis 0 is exactly 8, which does not follow from its operands}}
  %r = pl.broadcast %t, [%n, %n] : !pl.tile<[1, 4], f32> -> !pl.tile<[8, 4], f32>
  return
}

// -----

func.func @window_longer_than_its_source(%t: !pl.tile<[upto 8], f32>, %i: index, %n: index) {
  // expected-error @+1 {{says that axis 0 is at most 4, which does not follow from its operands}}
  %r = pl.window %t[%i] [%n] : !pl.tile<[upto 8], f32> -> !pl.tile<[upto 4], f32>
  return
}

// -----

func.func @too_few_extents(%t: !pl.tile<[?, ?], f32>, %n: index) {
  // expected-error @+1 {{expects 2 sizes, got 1}}
  %r = pl.with_extents %t [%n] : !pl.tile<[?, ?], f32>
  return
}

// -----

func.func @extent_beyond_the_type(%t: !pl.tile<[upto 8], f32>, %n: index) {
  // expected-error @+1 {{says that axis 0 is at most 8, which does not follow from its operands}}
  %r = pl.with_extents %t [%n] : !pl.tile<[upto 8], f32>
  return
}
