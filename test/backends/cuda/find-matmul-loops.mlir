// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cuda-find-rows --split-input-file | FileCheck %s

// Matmuls are added to an accumulator that says how long it is, and how long it becomes.
// CHECK: module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = bf16>
// CHECK-LABEL: func.func @added
func.func @added(%a: !pl.tensor<[?, ?], bf16>, %b: !pl.tensor<[?, ?], bf16>, %c: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %M step %c32 {
    %0 = pl.full %zero, [%c32, %N] : f32 -> <[32, ?], f32>
    %1 = pl.relax %0 : <[32, ?], f32> -> <[upto 32, ?], f32>
    %2:2 = scf.for %k = %c0 to %K step %c16 iter_args(%sum = %1, %rows = %c32) -> (!pl.tile<[upto 32, ?], f32>, index) {
      %6 = arith.minsi %rows, %c32 : index
      %7 = pl.with_extents %sum[%6, %N] : !pl.tile<[upto 32, ?], f32>
      %8 = pl.slice %a[%i, %k] [%c32, %c16] : <[?, ?], bf16> -> <[upto 32, upto 16], bf16>
      %9 = pl.slice %b[%k, %c0] [%c16, %N] : <[?, ?], bf16> -> <[upto 16, ?], bf16>
      %10 = pl.load %8 : <[upto 32, upto 16], bf16>
      %11 = pl.load %9 : <[upto 16, ?], bf16>
      %12 = pl.matmul %10, %11 : <[upto 32, upto 16], bf16>, <[upto 16, ?], bf16>
      %13 = pl.add %12, %7 : !pl.tile<[upto 32, ?], f32>, !pl.tile<[upto 32, ?], f32>
      %14 = arith.subi %M, %i : index
      %15 = arith.minsi %14, %c32 : index
      %16 = arith.minsi %6, %15 : index
      scf.yield %13, %16 : !pl.tile<[upto 32, ?], f32>, index
    }
    %3 = arith.minsi %2#1, %c32 : index
    %4 = pl.with_extents %2#0[%3, %N] : !pl.tile<[upto 32, ?], f32>
    %5 = pl.slice %c[%i, %c0] [%c32, %N] : <[?, ?], f32> -> <[upto 32, ?], f32>
    pl.store %4, %5 : <[upto 32, ?], f32>, <[upto 32, ?], f32>
  }
  return
}

// -----

// The accumulator has fewer rows in every iteration.
// CHECK-LABEL: func.func @shorter
// CHECK-NOT: tegula_matmul_epilogue
func.func @shorter(%a: !pl.tensor<[?, ?], bf16>, %b: !pl.tensor<[?, ?], bf16>, %c: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %M step %c32 {
    %0 = pl.full %zero, [%c32, %N] : f32 -> <[32, ?], f32>
    %1 = pl.relax %0 : <[32, ?], f32> -> <[upto 32, ?], f32>
    %2:2 = scf.for %k = %c0 to %K step %c16 iter_args(%sum = %1, %rows = %c32) -> (!pl.tile<[upto 32, ?], f32>, index) {
      %6 = arith.minsi %rows, %c32 : index
      %7 = pl.with_extents %sum[%6, %N] : !pl.tile<[upto 32, ?], f32>
      %8 = pl.slice %a[%i, %k] [%c32, %c16] : <[?, ?], bf16> -> <[upto 32, upto 16], bf16>
      %9 = pl.slice %b[%k, %c0] [%c16, %N] : <[?, ?], bf16> -> <[upto 16, ?], bf16>
      %10 = pl.load %8 : <[upto 32, upto 16], bf16>
      %11 = pl.load %9 : <[upto 16, ?], bf16>
      %12 = pl.matmul %10, %11 acc %7 : <[upto 32, upto 16], bf16>, <[upto 16, ?], bf16>, !pl.tile<[upto 32, ?], f32>
      %13 = arith.subi %rows, %c1 : index
      scf.yield %12, %13 : !pl.tile<[upto 32, ?], f32>, index
    }
    %5 = pl.slice %c[%i, %c0] [%c32, %N] : <[?, ?], f32> -> <[upto 32, ?], f32>
    pl.store %2#0, %5 : <[upto 32, ?], f32>, <[upto 32, ?], f32>
  }
  return
}

// -----

// Windows of what is summed up have as many columns as an iteration has rows, so they overlap.
// CHECK-LABEL: func.func @overlapping
// CHECK-NOT: tegula_matmul_epilogue
func.func @overlapping(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %r: !pl.tensor<[?, 1], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0], %r[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %M step %c32 {
    %0 = pl.slice %r[%i, %c0] [%c32, %c1] : <[?, 1], f32> -> <[upto 32, 1], f32>
    %1 = pl.load %0 : <[upto 32, 1], f32>
    %n = pl.dim %1[0] : !pl.tile<[upto 32, 1], f32>
    %2 = pl.full %zero, [%n, %N] : f32 -> <[upto 32, ?], f32>
    %3 = scf.for %k = %c0 to %K step %c16 iter_args(%sum = %2) -> (!pl.tile<[upto 32, ?], f32>) {
      %8 = pl.slice %a[%i, %k] [%c32, %n] : <[?, ?], f32> -> <[upto 32, upto 32], f32>
      %9 = pl.slice %b[%k, %c0] [%n, %N] : <[?, ?], f32> -> <[upto 32, ?], f32>
      %10 = pl.load %8 : <[upto 32, upto 32], f32>
      %11 = pl.load %9 : <[upto 32, ?], f32>
      %12 = pl.matmul %10, %11 acc %sum : <[upto 32, upto 32], f32>, <[upto 32, ?], f32>, !pl.tile<[upto 32, ?], f32>
      scf.yield %12 : !pl.tile<[upto 32, ?], f32>
    }
    %5 = pl.slice %c[%i, %c0] [%c32, %N] : <[?, ?], f32> -> <[upto 32, ?], f32>
    pl.store %3, %5 : <[upto 32, ?], f32>, <[upto 32, ?], f32>
  }
  return
}

// -----

// An operand is used in the epilogue, too.
// CHECK: module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 0, transpose_lhs, precision = fp32, epilogue_operand = 0>, cuda.rowwise = #cuda.rowwise<flat, tensors = [<tensor = 0, rows, columns>, <tensor = 1, rows, columns>]>}
// CHECK-LABEL: func.func @square
func.func @square(%a: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %a[1], %c[0], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %0 = pl.load %a : <[?, ?], f32>
  %1 = pl.matmul %0, %0 {transpose_lhs} : <[?, ?], f32>, <[?, ?], f32>
  %2 = pl.add %1, %0 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %2, %c : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

// It has other columns than the result.
// CHECK-LABEL: func.func @oblong
// CHECK-NOT: tegula_matmul_epilogue
func.func @oblong(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>, %d: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0], %d[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[0], %d[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %0 = pl.load %a : <[?, ?], f32>
  %1 = pl.load %b : <[?, ?], f32>
  %2 = pl.matmul %0, %1 : <[?, ?], f32>, <[?, ?], f32>
  pl.store %2, %c : <[?, ?], f32>, <[?, ?], f32>
  pl.store %0, %d : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

// The only loop is over the inner axis; the accumulators begin as a tensor and are stored twice.
// CHECK: module attributes {cuda.matmul = #cuda.matmul<lhs = 0, rhs = 1, precision = bf16, long_epilogue, epilogue_operand = 2>, cuda.rowwise = #cuda.rowwise<flat, tensors = [<tensor = 2, rows, columns>, <tensor = 3, rows, columns>, <tensor = 4, rows, columns>]>}
// CHECK-LABEL: func.func @inner
// CHECK: pl.matmul
// CHECK: module @tegula_matmul_epilogue
func.func @inner(%a: !pl.tensor<[?, ?], bf16>, %b: !pl.tensor<[?, ?], bf16>, %r: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>, %d: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %r[0], %c[0], %d[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %N = pl.bind "N" %b[1], %r[1], %c[1], %d[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %0 = pl.load %r : <[?, ?], f32>
  %1 = scf.for %k = %c0 to %K step %c16 iter_args(%sum = %0) -> (!pl.tile<[?, ?], f32>) {
    %3 = pl.with_extents %sum[%M, %N] : !pl.tile<[?, ?], f32>
    %4 = pl.slice %a[%c0, %k] [%M, %c16] : <[?, ?], bf16> -> <[?, upto 16], bf16>
    %5 = pl.slice %b[%k, %c0] [%c16, %N] : <[?, ?], bf16> -> <[upto 16, ?], bf16>
    %6 = pl.load %4 : <[?, upto 16], bf16>
    %7 = pl.load %5 : <[upto 16, ?], bf16>
    %8 = pl.matmul %6, %7 acc %3 : <[?, upto 16], bf16>, <[upto 16, ?], bf16>, !pl.tile<[?, ?], f32>
    scf.yield %8 : !pl.tile<[?, ?], f32>
  }
  pl.store %1, %c : <[?, ?], f32>, <[?, ?], f32>
  %2 = pl.exp %1 : !pl.tile<[?, ?], f32>
  pl.store %2, %d : <[?, ?], f32>, <[?, ?], f32>
  return
}
