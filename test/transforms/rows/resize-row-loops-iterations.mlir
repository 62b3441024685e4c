// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-resize-row-loops --split-input-file | FileCheck %s
// What depends on which iteration it is, or on how many rows that has.

// A tile from before the loop has as many rows as it had.
// CHECK-LABEL: func.func @made_before
// CHECK:         step %c8
func.func @made_before(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %a = pl.slice %x[%c0, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
  %t = pl.load %a : <[upto 8, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %w = pl.slice %y[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %t, %w : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// As many columns as rows were done before.
// CHECK-LABEL: func.func @triangle
// CHECK:         step %c8
func.func @triangle(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %a = pl.slice %x[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %t = pl.load %a : <[upto 8, ?], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %i] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %t, %w : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// A row that is as long as an iteration has rows.
// CHECK-LABEL: func.func @as_many_columns
// CHECK:         step %c8
func.func @as_many_columns(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %rest = arith.subi %M, %i : index
    %left = arith.minsi %rest, %c8 : index
    %f = pl.full %one, [%c1, %left] : f32 -> <[1, upto 8], f32>
    %b = pl.broadcast %f, [%left, %N] : <[1, upto 8], f32> -> <[upto 8, upto 8], f32>
    %w = pl.slice %y[%i, %c0] [%c8, %N] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %b, %w : <[upto 8, upto 8], f32>, <[upto 8, ?], f32>
  }
  return
}
