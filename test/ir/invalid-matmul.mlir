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

// -----

func.func @half_bytes(%a: !pl.tensor<[4, 8], i4>, %b: !pl.tensor<[8, 4], i4>, %c: !pl.tensor<[4, 4], i32>) {
  // expected-error @+1 {{multiplies elements of whole bytes, got INT4}}
  pl.matmul_into %a, %b into %c : !pl.tensor<[4, 8], i4>, !pl.tensor<[8, 4], i4>, !pl.tensor<[4, 4], i32>
  return
}

// -----

func.func @operand_rank(%a: !pl.tensor<[4, 4], f32>, %r: !pl.tensor<[1, 4, 4], f32>) {
  // expected-error @+1 {{an epilogue operand must have rank 1 or 2, got 3}}
  pl.matmul_into %a, %a into %a with %r : !pl.tensor<[1, 4, 4], f32> epilogue {
  ^bb0(%acc: f32, %x: f32):
    pl.epilogue_yield %acc : f32
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}

// -----

func.func @operand_extent(%a: !pl.tensor<[4, 4], f32>, %r: !pl.tensor<[5], f32>) {
  // expected-error @+1 {{an epilogue operand has extent 5 where the target has 4}}
  pl.matmul_into %a, %a into %a with %r : !pl.tensor<[5], f32> epilogue {
  ^bb0(%acc: f32, %x: f32):
    pl.epilogue_yield %acc : f32
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}

// -----

func.func @no_epilogue(%a: !pl.tensor<[4, 4], f32>, %r: !pl.tensor<[4], f32>) {
  // expected-error @+1 {{has epilogue operands and no epilogue}}
  pl.matmul_into %a, %a into %a with %r : !pl.tensor<[4], f32> : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}

// -----

func.func @arguments(%a: !pl.tensor<[4, 4], f32>, %r: !pl.tensor<[4], f32>) {
  // expected-error @+1 {{the epilogue must have 2 arguments, got 1}}
  pl.matmul_into %a, %a into %a with %r : !pl.tensor<[4], f32> epilogue {
  ^bb0(%acc: f32):
    pl.epilogue_yield %acc : f32
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}

// -----

func.func @accumulator(%a: !pl.tensor<[4, 4], f32>) {
  // expected-error @+1 {{the accumulator must be a number, got 'index'}}
  pl.matmul_into %a, %a into %a epilogue {
  ^bb0(%acc: index):
    %0 = arith.constant 0.0 : f32
    pl.epilogue_yield %0 : f32
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}

// -----

func.func @argument(%a: !pl.tensor<[4, 4], f32>, %r: !pl.tensor<[4], f16>) {
  // expected-error @+1 {{an argument of the epilogue must be FP16 as its operand, got 'f32'}}
  pl.matmul_into %a, %a into %a with %r : !pl.tensor<[4], f16> epilogue {
  ^bb0(%acc: f32, %x: f32):
    pl.epilogue_yield %acc : f32
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}

// -----

func.func @not_elementwise(%a: !pl.tensor<[4, 4], f32>) {
  %c0 = arith.constant 0 : index
  pl.matmul_into %a, %a into %a epilogue {
  ^bb0(%acc: f32):
    // expected-error @+1 {{is not an elementwise op on scalars, as those of an epilogue are}}
    %0 = pl.read %a[%c0, %c0] : !pl.tensor<[4, 4], f32>
    pl.epilogue_yield %0 : f32
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}

// -----

func.func @stored(%a: !pl.tensor<[4, 4], f32>, %c: !pl.tensor<[4, 4], f16>) {
  // expected-error @+1 {{the epilogue must yield FP16 for the target, got FP32}}
  pl.matmul_into %a, %a into %c epilogue {
  ^bb0(%acc: f32):
    pl.epilogue_yield %acc : f32
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f16>
  return
}

// -----

func.func @not_ended(%a: !pl.tensor<[4, 4], f32>) {
  // expected-error @+1 {{the epilogue must end with pl.epilogue_yield}}
  pl.matmul_into %a, %a into %a epilogue {
  ^bb0(%acc: f32):
    llvm.unreachable
  } : !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>, !pl.tensor<[4, 4], f32>
  return
}
