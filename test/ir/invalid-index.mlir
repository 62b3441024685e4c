// RUN: tegula-opt %s --split-input-file --verify-diagnostics
// What gathers and scatters refuse.

func.func @float_index(%x: !pl.tile<[8, 4], f32>, %i: !pl.tile<[8, 4], f32>) {
  // expected-error @+1 {{indices must be integers, got FP32}}
  %0 = pl.gather %x[%i] axis 1 : !pl.tile<[8, 4], f32>, !pl.tile<[8, 4], f32>
  return
}

// -----

func.func @other_rank(%x: !pl.tile<[8, 4], f32>, %i: !pl.tile<[4], i32>) {
  // expected-error @+1 {{an index along an axis has the rank of what it indexes: 2, got 1}}
  %0 = pl.gather %x[%i] axis 1 : !pl.tile<[8, 4], f32>, !pl.tile<[4], i32>
  return
}

// -----

func.func @no_such_axis(%x: !pl.tile<[8, 4], f32>, %i: !pl.tile<[8, 4], i32>) {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %0 = pl.gather %x[%i] axis 2 : !pl.tile<[8, 4], f32>, !pl.tile<[8, 4], i32>
  return
}

// -----

func.func @too_many_rows(%x: !pl.tile<[8, 4], f32>, %i: !pl.tile<[9, 4], i32>) {
  // expected-error @+1 {{axis 0 has 9 indices and 8 elements}}
  %0 = pl.gather %x[%i] axis 1 : !pl.tile<[8, 4], f32>, !pl.tile<[9, 4], i32>
  return
}

// -----

func.func @other_elements(%s: !pl.tile<[4], f16>, %t: !pl.tile<[8], f32>, %i: !pl.tile<[4], i32>) {
  // expected-error @+1 {{cannot put elements of FP16 among FP32}}
  %0 = pl.scatter %s, %t[%i] axis 0 : !pl.tile<[4], f16>, !pl.tile<[8], f32>, !pl.tile<[4], i32>
  return
}

// -----

func.func @one_index_for_each(%s: !pl.tile<[4], f32>, %t: !pl.tile<[8], f32>, %i: !pl.tile<[5], i32>) {
  // expected-error @+1 {{axis 0 has 5 indices and 4 elements}}
  %0 = pl.scatter %s, %t[%i] : !pl.tile<[4], f32>, !pl.tile<[8], f32>, !pl.tile<[5], i32>
  return
}

// -----

func.func @ranks(%s: !pl.tile<[4], f32>, %t: !pl.tile<[8], f32>, %i: !pl.tile<[4, 1], i32>) {
  // expected-error @+1 {{there must be one index for each element: ranks 1 and 2}}
  %0 = pl.scatter %s, %t[%i] : !pl.tile<[4], f32>, !pl.tile<[8], f32>, !pl.tile<[4, 1], i32>
  return
}

// -----

func.func @sum_of_booleans(%s: !pl.tile<[4], i1>, %t: !pl.tensor<[8], i1>, %i: !pl.tile<[4], i32>) {
  // expected-error @+1 {{cannot add elements of type BOOL}}
  pl.scatter_store %s, %t[%i] add : !pl.tile<[4], i1>, !pl.tensor<[8], i1>, !pl.tile<[4], i32>
  return
}

// -----

func.func @mask(%m: !pl.tile<[4], i32>) {
  // expected-error @+1 {{the mask must hold booleans along an axis}}
  %0 = pl.find %m columns 2 : !pl.tile<[4], i32>
  return
}

// -----

func.func @widths(%m: !pl.tile<[4], i32>) {
  // expected-error @+1 {{cannot read the bits of INT32 as FP16}}
  %0 = pl.bitcast %m to f16 : !pl.tile<[4], i32>
  return
}
