// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --canonicalize --cse --split-input-file | FileCheck %s

// One row of the number is there before the loop, and all rows if it has no iteration. The first iteration reads it for all rows.
// CHECK-LABEL: func.func @start_as_row
// CHECK:         %[[TURNS:.*]] = arith.cmpi sgt, %[[N:.*]], %c0
// CHECK-DAG:     arith.select %[[TURNS]], %[[ROW:.*]], %[[ALL:.*]] : !llvm.ptr
// CHECK-DAG:     arith.select %[[TURNS]], %c1, %c64 : index
// CHECK:         linalg.generic
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[N]]
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK-DAG:       arith.select %[[FIRST]], %[[ROW]], %[[ALL]] : !llvm.ptr
// CHECK-DAG:       arith.select %[[FIRST]], %c0, %c64 : index
// CHECK:           linalg.generic
func.func @start_as_row(%x: !pl.tensor<[64, 64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %half = arith.constant 0.5 : f32
  %a = pl.load %x : !pl.tensor<[64, 64], f32>
  %z = pl.full %half, [%c64, %c64] : f32 -> !pl.tile<[64, 64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!pl.tile<[64, 64], f32>) {
    %t = pl.mul %s, %a : !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>
    scf.yield %t : !pl.tile<[64, 64], f32>
  }
  pl.store %r, %x : !pl.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
  return
}

// -----

// A tile that goes on as it is, in an iteration or after it, has to be there.
// CHECK-LABEL: func.func @keep_tiles_handed_on
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @keep_tiles_handed_on(%x: !pl.tensor<[64, 64], f32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %half = arith.constant 0.5 : f32
  %a = pl.load %x : !pl.tensor<[64, 64], f32>
  %z = pl.full %half, [%c64, %c64] : f32 -> !pl.tile<[64, 64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!pl.tile<[64, 64], f32>) {
    %is = arith.cmpi slt, %i, %m : index
    %t = scf.if %is -> (!pl.tile<[64, 64], f32>) {
      %u = pl.mul %s, %a : !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>
      scf.yield %u : !pl.tile<[64, 64], f32>
    } else {
      scf.yield %s : !pl.tile<[64, 64], f32>
    }
    scf.yield %t : !pl.tile<[64, 64], f32>
  }
  pl.store %r, %x : !pl.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
  return
}

// -----

// So have columns, of which little is filled, and what is read in another order.
// CHECK-LABEL: func.func @keep_columns_and_transposed_tiles
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @keep_columns_and_transposed_tiles(%x: !pl.tensor<[64, 64], f32>, %y: !pl.tensor<[64, 1], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %half = arith.constant 0.5 : f32
  %b = pl.load %y : !pl.tensor<[64, 1], f32>
  %z = pl.full %half, [%c64, %c64] : f32 -> !pl.tile<[64, 64], f32>
  %c = pl.full %half, [%c64, %c1] : f32 -> !pl.tile<[64, 1], f32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z, %k = %c) -> (!pl.tile<[64, 64], f32>, !pl.tile<[64, 1], f32>) {
    %t = pl.transpose %s [1, 0] : !pl.tile<[64, 64], f32>
    %u = pl.exp %t : !pl.tile<[64, 64], f32>
    %l = pl.mul %k, %b : !pl.tile<[64, 1], f32>, !pl.tile<[64, 1], f32>
    scf.yield %u, %l : !pl.tile<[64, 64], f32>, !pl.tile<[64, 1], f32>
  }
  pl.store %r#0, %x : !pl.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
  pl.store %r#1, %y : !pl.tile<[64, 1], f32>, !pl.tensor<[64, 1], f32>
  return
}

// -----

// Rows that loops start from are needed until the loop ends: two loops after each other have one place for theirs, of
// 256 bytes next to two tiles of 16384.
// CHECK-LABEL: func.func @two_loops
// CHECK:         %[[BYTES:.*]] = arith.constant 33024 : i64
// CHECK:         llvm.call @tegulaScratchPush(%[[BYTES]])
func.func @two_loops(%x: !pl.tensor<[64, 64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %half = arith.constant 0.5 : f32
  %a = pl.load %x : !pl.tensor<[64, 64], f32>
  %z = pl.full %half, [%c64, %c64] : f32 -> !pl.tile<[64, 64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!pl.tile<[64, 64], f32>) {
    %t = pl.mul %s, %a : !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>
    scf.yield %t : !pl.tile<[64, 64], f32>
  }
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!pl.tile<[64, 64], f32>) {
    %t = pl.add %s, %r : !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>
    scf.yield %t : !pl.tile<[64, 64], f32>
  }
  pl.store %q, %x : !pl.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
  return
}
