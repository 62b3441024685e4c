// RUN: tegula-opt %s --split-input-file --verify-diagnostics
// What the ops that order elements refuse.

func.func @sum(%x: !pl.tensor<[8], f32>, %i: !pl.tensor<[1], i32>) {
  // expected-error @+1 {{finds the max or the min only}}
  pl.arg_reduce sum %x axis 0 into %i : !pl.tensor<[8], f32>, !pl.tensor<[1], i32>
  return
}

// -----

func.func @axis(%x: !pl.tensor<[8], f32>, %i: !pl.tensor<[1], i32>) {
  // expected-error @+1 {{axis 1 is out of range for rank 1}}
  pl.arg_reduce max %x axis 1 into %i : !pl.tensor<[8], f32>, !pl.tensor<[1], i32>
  return
}

// -----

func.func @booleans(%x: !pl.tensor<[8], i1>, %i: !pl.tensor<[1], i32>) {
  // expected-error @+1 {{source cannot hold 'i1'}}
  pl.arg_reduce max %x axis 0 into %i : !pl.tensor<[8], i1>, !pl.tensor<[1], i32>
  return
}

// -----

func.func @target(%x: !pl.tensor<[8], f32>, %i: !pl.tensor<[1], i64>) {
  // expected-error @+1 {{target cannot hold 'i64'}}
  pl.arg_reduce max %x axis 0 into %i : !pl.tensor<[8], f32>, !pl.tensor<[1], i64>
  return
}

// -----

func.func @values(%x: !pl.tensor<[8], f32>, %v: !pl.tensor<[8], f16>, %i: !pl.tensor<[8], i32>) {
  // expected-error @+1 {{values cannot hold 'f16'}}
  pl.sort_rows %x axis 0 into %v, %i : !pl.tensor<[8], f32>, !pl.tensor<[8], f16>, !pl.tensor<[8], i32>
  return
}

// -----

func.func @ranks(%x: !pl.tensor<[8], f32>, %i: !pl.tensor<[8, 1], i32>) {
  // expected-error @+1 {{all tensors must have rank 1, got 2}}
  pl.sort_rows %x axis 0 into %x, %i : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[8, 1], i32>
  return
}

// -----

func.func @runs(%x: !pl.tensor<[8], f32>, %i: !pl.tensor<[8], i32>) {
  // expected-error @+1 {{needs an axis and runs of at least 1}}
  pl.sort_runs 0 of %x, %i into %x : !pl.tensor<[8], f32>, !pl.tensor<[8], i32>, !pl.tensor<[8], f32>
  return
}

// -----

func.func @pairs(%x: !pl.tensor<[8], f16>, %n: index) {
  // expected-error @+1 {{tensor cannot hold 'f16'}}
  pl.merge_runs %x length %n into %x : !pl.tensor<[8], f16> into !pl.tensor<[8], f16>
  return
}

// -----

func.func @one_source(%x: !pl.tensor<[8], f32>) {
  // expected-error @+1 {{needs the length of its runs if it has one source}}
  pl.merge_runs %x into %x : !pl.tensor<[8], f32> into !pl.tensor<[8], f32>
  return
}

// -----

func.func @many(%x: !pl.tensor<[8], f32>) {
  // expected-error @+1 {{merges rows of 1 to 4 tensors, got 5}}
  pl.merge_runs %x, %x, %x, %x, %x into %x : !pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[8], f32>, !pl.tensor<[8], f32> into !pl.tensor<[8], f32>
  return
}

// -----

func.func @view_count(%x: !pl.tensor<[8], f32>) {
  %c3 = arith.constant 3 : index
  // expected-error @+1 {{cannot turn 8 elements into 9}}
  %v = pl.view %x, [%c3, %c3] : !pl.tensor<[8], f32> -> !pl.tensor<[3, 3], f32>
  return
}

// -----

func.func @move_between_types(%x: !pl.tensor<[8], f32>, %i: !pl.tensor<[4], i32>, %y: !pl.tensor<[4], f16>) {
  // expected-error @+1 {{tensor cannot hold 'f16'}}
  pl.pick %x[%i] axis 0 into %y : !pl.tensor<[8], f32>, !pl.tensor<[4], i32>, !pl.tensor<[4], f16>
  return
}

// -----

func.func @move_along_no_axis(%x: !pl.tensor<[8], f32>, %i: !pl.tensor<[4], i32>, %y: !pl.tensor<[4], f32>) {
  // expected-error @+1 {{axis 1 is out of range for rank 1}}
  pl.put %y into %x[%i] axis 1 : !pl.tensor<[4], f32>, !pl.tensor<[8], f32>, !pl.tensor<[4], i32>
  return
}

// -----

func.func @move_by_floats(%x: !pl.tensor<[8], f32>, %i: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) {
  // expected-error @+1 {{index cannot hold 'f32'}}
  pl.pick %x[%i] axis 0 into %y : !pl.tensor<[8], f32>, !pl.tensor<[4], f32>, !pl.tensor<[4], f32>
  return
}

// -----

func.func @sum_up_narrow(%x: !pl.tensor<[8], f16>) {
  // expected-error @+1 {{source cannot hold 'f16'}}
  pl.running_sum %x axis 0 into %x : !pl.tensor<[8], f16>, !pl.tensor<[8], f16>
  return
}
