// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline="builtin.module(func.func(tegula-cuda-assign-layouts))" | FileCheck %s --enable-var-scope

// Blocks have as many warps as the matmul has rows for; what is loaded for it is loaded in order, and what follows
// stays where the tensor cores leave it.

// CHECK-LABEL: @matmul
// CHECK-SAME:    tegula.warps = 4
func.func @matmul(%a: !pl.tensor<[64, 64], bf16>, %b: !pl.tensor<[64, 64], bf16>, %c: !pl.tensor<[64, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // CHECK: %[[LHS:.*]] = pl.load %{{.*}} {cuda.layout = #cuda.blocked<elements = [1, 8], lanes = [4, 8], warps = [4, 1]>}
    %x = pl.load %a : <[64, 64], bf16>
    %y = pl.load %b : <[64, 64], bf16>
    // CHECK: %[[TRANSPOSED:.*]] = pl.transpose %{{.*}} [1, 0]
    // CHECK: %[[A:.*]] = cuda.convert_layout %[[LHS]] {{.*}} to #cuda.dot_operand<lhs, <warps = [4, 1]>>
    // CHECK: %[[B:.*]] = cuda.convert_layout %[[TRANSPOSED]] {{.*}} to #cuda.dot_operand<rhs, <warps = [4, 1]>>
    // CHECK: pl.matmul %[[A]], %[[B]] {cuda.layout = #cuda.mma<warps = [4, 1]>}
    %s = pl.matmul %x, %y {transpose_rhs} : <[64, 64], bf16>, <[64, 64], bf16>
    // CHECK: pl.reduce {{ *}}max {{.*}} {cuda.layout = #cuda.mma<warps = [4, 1]>}
    %m = pl.reduce max %s axis 1 : <[64, 64], f32>
    // CHECK: pl.exp {{.*}} {cuda.layout = #cuda.mma<warps = [4, 1]>}
    %e = pl.exp %s : !pl.tile<[64, 64], f32>
    // CHECK: pl.store {{.*}} {cuda.layout = #cuda.mma<warps = [4, 1]>}
    pl.store %e, %c : <[64, 64], f32>, <[64, 64], f32>
  }
  return
}

// Rows are in one warp each. Nothing is said of a tile that is made where it is used.

// CHECK-LABEL: @rows
// CHECK-SAME:    tegula.warps = 8
func.func @rows(%a: !pl.tensor<[8, 256], f32>, %c: !pl.tensor<[8, 256], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // CHECK: pl.load %{{[a-z0-9]*}} : <[8, 256], f32>
    %x = pl.load %a : <[8, 256], f32>
    // CHECK: pl.exp {{.*}} {cuda.layout = #cuda.blocked<elements = [1, 4], lanes = [1, 32], warps = [8, 1]>}
    %e = pl.exp %x : !pl.tile<[8, 256], f32>
    pl.store %e, %c : <[8, 256], f32>, <[8, 256], f32>
  }
  return
}

// Threads multiply and add what tensor cores do not: each has a block of rows and columns about as high as wide, with
// vectors of what lies side by side.

// CHECK-LABEL: @multiply_adds
func.func @multiply_adds(%a: !pl.tensor<[128, 32], f32>, %b: !pl.tensor<[32, 128], f32>, %c: !pl.tensor<[128, 128], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[128, 32], f32>
    %y = pl.load %b : <[32, 128], f32>
    // CHECK: %[[A:.*]] = cuda.convert_layout {{.*}} to #cuda.fma_operand<lhs>
    // CHECK: %[[B:.*]] = cuda.convert_layout {{.*}} to #cuda.fma_operand<rhs>
    // CHECK: pl.matmul %[[A]], %[[B]] {cuda.layout = #cuda.blocked<elements = [1, 4], lanes = [4, 8], warps = [4, 2]>}
    %s = pl.matmul %x, %y : <[128, 32], f32>, <[32, 128], f32>
    // CHECK: pl.store {{.*}} {cuda.layout = #cuda.blocked<elements = [1, 4], lanes = [4, 8], warps = [4, 2]>}
    pl.store %s, %c : <[128, 128], f32>, <[128, 128], f32>
  }
  return
}

// Of operands the other way round, rows are contiguous.

// CHECK-LABEL: @transposed_multiply_adds
func.func @transposed_multiply_adds(%a: !pl.tensor<[32, 64], f32>, %b: !pl.tensor<[64, 32], f32>, %c: !pl.tensor<[64, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[32, 64], f32>
    %y = pl.load %b : <[64, 32], f32>
    // CHECK: pl.matmul {{.*}} {cuda.layout = #cuda.blocked<elements = [4, 1], lanes = [4, 8], warps = [4, 1]>}
    %s = pl.matmul %x, %y {transpose_lhs, transpose_rhs} : <[32, 64], f32>, <[64, 32], f32>
    pl.store %s, %c : <[64, 64], f32>, <[64, 64], f32>
  }
  return
}

// Tensor cores multiply bytes, and FP32 as TF32 where that is asked for: as many as 32 bytes have at a time.

// CHECK-LABEL: @bytes
func.func @bytes(%a: !pl.tensor<[64, 64], i8>, %b: !pl.tensor<[64, 64], i8>, %c: !pl.tensor<[64, 64], i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[64, 64], i8>
    %y = pl.load %b : <[64, 64], i8>
    // CHECK: cuda.convert_layout {{.*}} to #cuda.dot_operand<lhs, <warps = [4, 1]>, bits = 8>
    // CHECK: cuda.convert_layout {{.*}} to #cuda.dot_operand<rhs, <warps = [4, 1]>, bits = 8>
    // CHECK: pl.matmul {{.*}} {cuda.layout = #cuda.mma<warps = [4, 1]>}
    %s = pl.matmul %x, %y : <[64, 64], i8>, <[64, 64], i8>
    pl.store %s, %c : <[64, 64], i32>, <[64, 64], i32>
  }
  return
}

// CHECK-LABEL: @tf32
func.func @tf32(%a: !pl.tensor<[64, 64], f32>, %c: !pl.tensor<[64, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[64, 64], f32>
    // CHECK: cuda.convert_layout {{.*}} to #cuda.dot_operand<lhs, <warps = [4, 1]>, bits = 32>
    %s = pl.matmul %x, %x precision tf32 : <[64, 64], f32>, <[64, 64], f32>
    pl.store %s, %c : <[64, 64], f32>, <[64, 64], f32>
  }
  return
}

// Weights are loaded as threads share memory best, so that they can be prefetched, and become what is multiplied in
// registers. FP8 does so by itself.

// CHECK-LABEL: @computed_operand
func.func @computed_operand(%a: !pl.tensor<[64, ?], bf16>, %b: !pl.tensor<[64, ?], i8>, %c: !pl.tensor<[64, 64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %start = pl.full %zero, [%c64, %c64] : f32 -> <[64, 64], f32>
    %sum = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %start) -> (!pl.tile<[64, 64], f32>) {
      %u = pl.slice %a[%c0, %k] [%c64, %c64] : <[64, ?], bf16> -> <[64, upto 64], bf16>
      %v = pl.slice %b[%c0, %k] [%c64, %c64] : <[64, ?], i8> -> <[64, upto 64], i8>
      %x = pl.load %u : <[64, upto 64], bf16>
      // CHECK: %[[LOADED:.*]] = pl.load {{.*}} {cuda.layout = #cuda.blocked<elements = [1, 16], lanes = [8, 4], warps = [4, 1]>} : <[64, upto 64], i8>
      %y = pl.load %v : <[64, upto 64], i8>
      // CHECK: %[[BYTES:.*]] = cuda.convert_layout %[[LOADED]] {{.*}} to #cuda.blocked<elements = [1, 16], lanes = [8, 4], warps = [4, 1]>
      // CHECK: %[[WEIGHTS:.*]] = pl.cast %[[BYTES]] {{.*}}layout = #cuda.blocked<elements = [1, 16], lanes = [8, 4], warps = [4, 1]>
      %w = pl.cast %y none : !pl.tile<[64, upto 64], i8> -> !pl.tile<[64, upto 64], bf16>
      // CHECK: %[[TRANSPOSED:.*]] = pl.transpose %[[WEIGHTS]]
      // CHECK: cuda.convert_layout %[[TRANSPOSED]] {{.*}} to #cuda.dot_operand<rhs, <warps = [4, 1]>>
      %s = pl.matmul %x, %w acc %acc {transpose_rhs} : <[64, upto 64], bf16>, <[64, upto 64], bf16>, !pl.tile<[64, 64], f32>
      scf.yield %s : !pl.tile<[64, 64], f32>
    }
    pl.store %sum, %c : <[64, 64], f32>, <[64, 64], f32>
  }
  return
}

// CHECK-LABEL: @float8
func.func @float8(%a: !pl.tensor<[64, 64], f8E4M3FN>, %b: !pl.tensor<[64, 64], f8E4M3FN>, %c: !pl.tensor<[64, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[64, 64], f8E4M3FN>
    %y = pl.load %b : <[64, 64], f8E4M3FN>
    // CHECK-COUNT-2: pl.cast {{.*}} -> !pl.tile<[64, 64], f16>
    // CHECK-NOT: precision
    // CHECK: pl.matmul {{.*}} : <[64, 64], f16>, <[64, 64], f16>
    %s = pl.matmul %x, %y precision fp8 : <[64, 64], f8E4M3FN>, <[64, 64], f8E4M3FN>
    pl.store %s, %c : <[64, 64], f32>, <[64, 64], f32>
  }
  return
}

// A loop without a rule for one of its ops stays as it is.

// CHECK-LABEL: @no_rule
// CHECK-NOT:     cuda.layout
// CHECK:         {cuda.loop_rejection = #cuda.loop_rejection<"the operands of a matmul of threads are larger than shared memory" at #{{.*}}>}
func.func @no_rule(%a: !pl.tensor<[128, 128], f32>, %c: !pl.tensor<[128, 128], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[128, 128], f32>
    %s = pl.matmul %x, %x : <[128, 128], f32>, <[128, 128], f32>
    pl.store %s, %c : <[128, 128], f32>, <[128, 128], f32>
  }
  return
}
