// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @rank(%a: !pl.tensor<[2, 4, 8], f32>, %b: !pl.tensor<[8, 4], f32>, %c: !pl.tensor<[4, 4], f32>) {
  // expected-error @+1 {{all tensors must have rank 2, got 3, 2 and 2}}
  pl.matmul_into %a, %b into %c : !pl.tensor<[2, 4, 8], f32>, !pl.tensor<[8, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}

// -----

func.func @inner(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[4, 8], f32>, %c: !pl.tensor<[4, 8], f32>) {
  // expected-error @+1 {{inner extents differ: 8 and 4}}
  pl.matmul_into %a, %b into %c : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>
  return
}

// -----

func.func @rows(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[8, 4], f32>, %c: !pl.tensor<[5, 4], f32>) {
  // expected-error @+1 {{rows differ: 4 and 5}}
  pl.matmul_into %a, %b into %c : !pl.tensor<[4, 8], f32>, !pl.tensor<[8, 4], f32>, !pl.tensor<[5, 4], f32>
  return
}

// -----

func.func @columns(%a: !pl.tensor<[4, 8], f32>, %b: !pl.tensor<[4, 8], f32>, %c: !pl.tensor<[4, 8], f32>) {
  // expected-error @+1 {{columns differ: 4 and 8}}
  pl.matmul_into %a, %b into %c {transpose_rhs} : !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>, !pl.tensor<[4, 8], f32>
  return
}
