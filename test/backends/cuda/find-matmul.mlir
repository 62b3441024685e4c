// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cuda-find-rows --split-input-file | FileCheck %s

// Lhs and rhs; nothing transposed; BF16 operands.
// CHECK: module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = bf16>, cuda.rowwise = #cuda.rowwise<flat, tensors = [<tensor = 2, rows, columns>]>}
// The kernel stays as it is.
// CHECK: pl.matmul
func.func @matmul(%a: !pl.tensor<[?, ?], bf16>, %b: !pl.tensor<[?, ?], bf16>, %c: !pl.tensor<[?, ?], f32>) {
  %zero = arith.constant 0 : index
  %size = arith.constant 64 : index
  %start = arith.constant 0.0 : f32
  %m = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>
  %k = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %n = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %zero to %m step %size independent {
    scf.for %j = %zero to %n step %size {
      %0 = arith.subi %m, %i : index
      %1 = arith.minsi %0, %size : index
      %2 = arith.subi %n, %j : index
      %3 = arith.minsi %2, %size : index
      %4 = pl.full %start, [%1, %3] : f32 -> <[upto 64, upto 64], f32>
      %5 = scf.for %l = %zero to %k step %size iter_args(%sum = %4) -> (!pl.tile<[upto 64, upto 64], f32>) {
        %7 = pl.slice %a[%i, %l] [%size, %size] : <[?, ?], bf16> -> <[upto 64, upto 64], bf16>
        %8 = pl.load %7 : <[upto 64, upto 64], bf16>
        %9 = pl.slice %b[%l, %j] [%size, %size] : <[?, ?], bf16> -> <[upto 64, upto 64], bf16>
        %10 = pl.load %9 : <[upto 64, upto 64], bf16>
        %11 = pl.matmul %8, %10 acc %sum : <[upto 64, upto 64], bf16>, <[upto 64, upto 64], bf16>, !pl.tile<[upto 64, upto 64], f32>
        scf.yield %11 : !pl.tile<[upto 64, upto 64], f32>
      }
      %6 = pl.slice %c[%i, %j] [%size, %size] : <[?, ?], f32> -> <[upto 64, upto 64], f32>
      pl.store %5, %6 : <[upto 64, upto 64], f32>, <[upto 64, upto 64], f32>
    }
  }
  return
}

// -----

// FP32 operands that may be rounded to TF32; accumulators come in pairs then.
// CHECK: module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, transpose_rhs, precision = tf32>
// CHECK: @rounded
// CHECK: pl.matmul {{.*}} precision tf32
// CHECK: func.func @tegulaTileStorePairSingles
// CHECK: func.func @tegulaTileStorePairGroups
func.func @rounded(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %k = pl.bind "K" %a[1], %b[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %b[0], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %s = pl.load %a : !pl.tensor<[?, ?], f32>
  %t = pl.load %b : !pl.tensor<[?, ?], f32>
  %r = pl.matmul %s, %t precision tf32 {transpose_rhs} : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %r, %c : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  return
}

// -----

// What does something else as well is no matmul.
// CHECK: module attributes {cuda.row_rejection = #cuda.row_rejection<"{{.+}}" at #loc
// CHECK-NOT: cuda.matmul
// CHECK: @more
func.func @more(%a: !pl.tensor<[?], f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  pl.write %one, %a[%zero] : f32, !pl.tensor<[?], f32>
  return
}

// -----

// What else is read is read first, and nothing that is written shares memory
// with it; exact divisions take too long. The third tensor is the epilogue operand.
// CHECK: module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = bf16, long_epilogue, epilogue_operand = 2>
// CHECK-LABEL: func.func @divided(
// CHECK-LABEL: func.func @tegulaMatmulEpiloguePairs
// CHECK-COUNT-8: llvm.load %{{.*}} invariant
// CHECK-NOT: llvm.load
// CHECK-COUNT-16: arith.divf {{.*}} fastmath<afn>
// Eight at a time are prefetched by a function of their own, and come as words.
// CHECK-LABEL: func.func @tegulaMatmulEpilogueEights
// CHECK-NOT: invariant
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// They are not read if there is a copy.
// CHECK-LABEL: func.func @tegulaMatmulReadEights
// CHECK-NOT: llvm.load {{.*}} -> vector
// CHECK: scf.if
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<8xf32>
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<8xf32>
// CHECK: return
// What is read of 64 columns of a row is two chunks.
// CHECK-LABEL: func.func @tegulaMatmulPrefetch
// CHECK-COUNT-2: arith.select
// CHECK-NOT: arith.select
// CHECK: return
// CHECK-LABEL: func.func @tegulaMatmulCountReads
// CHECK: arith.constant 1 : i32
// CHECK-LABEL: func.func @tegulaMatmulEpilogueOperandBytes
// CHECK: arith.constant 4 : i32
func.func @divided(%a: !pl.tensor<[?, ?], bf16>, %b: !pl.tensor<[?, ?], bf16>, %d: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %zero = arith.constant 0 : index
  %size = arith.constant 64 : index
  %start = arith.constant 0.0 : f32
  %m = pl.bind "M" %a[0], %d[0], %c[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %k = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %n = pl.bind "N" %b[1], %d[1], %c[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %zero to %m step %size independent {
    scf.for %j = %zero to %n step %size {
      %0 = arith.subi %m, %i : index
      %1 = arith.minsi %0, %size : index
      %2 = arith.subi %n, %j : index
      %3 = arith.minsi %2, %size : index
      %4 = pl.full %start, [%1, %3] : f32 -> <[upto 64, upto 64], f32>
      %5 = scf.for %l = %zero to %k step %size iter_args(%sum = %4) -> (!pl.tile<[upto 64, upto 64], f32>) {
        %7 = pl.slice %a[%i, %l] [%size, %size] : <[?, ?], bf16> -> <[upto 64, upto 64], bf16>
        %8 = pl.load %7 : <[upto 64, upto 64], bf16>
        %9 = pl.slice %b[%l, %j] [%size, %size] : <[?, ?], bf16> -> <[upto 64, upto 64], bf16>
        %10 = pl.load %9 : <[upto 64, upto 64], bf16>
        %11 = pl.matmul %8, %10 acc %sum : <[upto 64, upto 64], bf16>, <[upto 64, upto 64], bf16>, !pl.tile<[upto 64, upto 64], f32>
        scf.yield %11 : !pl.tile<[upto 64, upto 64], f32>
      }
      %6 = pl.slice %c[%i, %j] [%size, %size] : <[?, ?], f32> -> <[upto 64, upto 64], f32>
      %7 = pl.slice %d[%i, %j] [%size, %size] : <[?, ?], f32> -> <[upto 64, upto 64], f32>
      %8 = pl.load %7 : <[upto 64, upto 64], f32>
      %9 = pl.div %5, %8 : !pl.tile<[upto 64, upto 64], f32>, !pl.tile<[upto 64, upto 64], f32>
      pl.store %9, %6 : <[upto 64, upto 64], f32>, <[upto 64, upto 64], f32>
    }
  }
  return
}

// -----

// Of FP32; the epilogue is for tiled matmuls only.
// CHECK: module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, transpose_rhs, precision = fp32>
// CHECK: module @tegula_matmul_epilogue
// CHECK-NOT: tegulaMatmulEpilogue
// CHECK: func.func @tegulaTileStoreQuadSingles
// CHECK: func.func @tegulaTileStoreQuadGroups
func.func @wide(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %k = pl.bind "K" %a[1], %b[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %b[0], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %0 = pl.load %a : <[?, ?], f32>
  %1 = pl.load %b : <[?, ?], f32>
  %2 = pl.matmul %0, %1 {transpose_rhs} : <[?, ?], f32>, <[?, ?], f32>
  pl.store %2, %c : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

// Of INT8, whose accumulators come as their bits.
// CHECK: module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = int8>
// CHECK: func.func @tegulaTileStorePairSingles
// CHECK: arith.bitcast {{.*}} : f32 to i32
// CHECK: func.func @tegulaTileStorePairGroups
func.func @bytes(%a: !pl.tensor<[?, ?], i8>, %b: !pl.tensor<[?, ?], i8>, %c: !pl.tensor<[?, ?], i32>) {
  %m = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], i8>, !pl.tensor<[?, ?], i32>
  %k = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], i8>, !pl.tensor<[?, ?], i8>
  %n = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], i8>, !pl.tensor<[?, ?], i32>
  %0 = pl.load %a : <[?, ?], i8>
  %1 = pl.load %b : <[?, ?], i8>
  %2 = pl.matmul %0, %1 : <[?, ?], i8>, <[?, ?], i8>
  pl.store %2, %c : <[?, ?], i32>, <[?, ?], i32>
  return
}
