// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cuda-find-rows --split-input-file | FileCheck %s

// Left and right; nothing turned; BF16 factors.
// CHECK: module attributes {tegula.product = array<i64: 0, 1, 0, 0, 1>, tegula.rows = array<i64: 0, 1, 2, 1, 1>}
// The kernel stays as it is.
// CHECK: pl.matmul
func.func @product(%a: !pl.tensor<[?, ?], bf16>, %b: !pl.tensor<[?, ?], bf16>, %c: !pl.tensor<[?, ?], f32>) {
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

// What does something else as well is no product.
// CHECK: module {
// CHECK-NOT: tegula.product
func.func @more(%a: !pl.tensor<[?], f32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  pl.write %one, %a[%zero] : f32, !pl.tensor<[?], f32>
  return
}
