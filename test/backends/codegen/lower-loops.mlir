// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --canonicalize --cse --split-input-file | FileCheck %s

// The accumulator is computed in the buffer it is carried in: no copy in the loop.
// CHECK-LABEL: func.func @carry_in_place
// CHECK:         scf.for
// CHECK:           linalg.generic
// CHECK:             arith.addf
// CHECK-NOT:       linalg.generic
// CHECK:         }
func.func @carry_in_place(%x: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.load %x : !pl.tensor<[64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (!pl.tile<[64], f32>) {
    %t = pl.add %s, %s : !pl.tile<[64], f32>, !pl.tile<[64], f32>
    scf.yield %t : !pl.tile<[64], f32>
  }
  pl.store %r, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// Tiles that change places go through copies.
// CHECK-LABEL: func.func @carry_swapped
// CHECK:         scf.for
// CHECK-COUNT-4:   linalg.generic
func.func @carry_swapped(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.load %x : !pl.tensor<[64], f32>
  %b = pl.load %y : !pl.tensor<[64], f32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (!pl.tile<[64], f32>, !pl.tile<[64], f32>) {
    scf.yield %t, %s : !pl.tile<[64], f32>, !pl.tile<[64], f32>
  }
  pl.store %r#0, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  pl.store %r#1, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// A matmul accumulates in the carried buffer.
// CHECK-LABEL: func.func @carry_matmul
// CHECK:         scf.for
// CHECK-NOT:       linalg.generic
// CHECK:           call @tegula_tile_matmul_f32_f32_f32
// CHECK:         return
func.func @carry_matmul(%x: !pl.tensor<[64, 64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %a = pl.load %x : !pl.tensor<[64, 64], f32>
  %z = pl.full %zero, [%c64, %c64] : f32 -> !pl.tile<[64, 64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (!pl.tile<[64, 64], f32>) {
    %p = pl.matmul %a, %a acc %s : !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>
    scf.yield %p : !pl.tile<[64, 64], f32>
  }
  %m = pl.reduce sum %r axis 1 : !pl.tile<[64, 64], f32>
  %s = pl.read %m[%c0, %c0] : !pl.tile<[64, 1], f32>
  pl.write %s, %x[%c0, %c0] : f32, !pl.tensor<[64, 64], f32>
  return
}

// -----

// Loops directly inside each other become one; each iteration has scratch memory of
// its own.
// CHECK-LABEL: func.func @parallel
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0)
// CHECK:           llvm.call @tegulaScratchPush
// CHECK:           linalg.generic
// CHECK:           llvm.call @tegulaScratchPop
func.func @parallel(%x: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  pl.parallel %i = %c0 to %M step %c1 independent {
    pl.parallel %j = %c0 to %N step %c64 independent {
      %s = pl.slice %x[%i, %j] [%c1, %c64] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 1, upto 64], f32>
      %a = pl.load %s : !pl.tensor<[upto 1, upto 64], f32>
      %m = pl.reduce max %a axis 1 : !pl.tile<[upto 1, upto 64], f32>
      %t = pl.slice %x[%i, %j] [%c1, %c1] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 1, upto 1], f32>
      %u = pl.relax %m : !pl.tile<[upto 1, 1], f32> -> !pl.tile<[upto 1, upto 1], f32>
      pl.store %u, %t : !pl.tile<[upto 1, upto 1], f32>, !pl.tensor<[upto 1, upto 1], f32>
    }
  }
  return
}

// -----

// A loop whose bounds are computed in the outer one stays inside it.
// CHECK-LABEL: func.func @dependent_bounds
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK:           scf.for %{{.*}} = %c0 to %[[I]]
func.func @dependent_bounds(%x: !pl.tensor<[?], f32>) {
  %N = pl.bind "N" %x[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  pl.parallel %i = %c0 to %N step %c1 independent {
    pl.parallel %j = %c0 to %i step %c1 independent {
      pl.write %one, %x[%i] : f32, !pl.tensor<[?], f32>
    }
  }
  return
}

// -----

// Iterations that are not known to be independent run in order.
// CHECK-LABEL: func.func @not_independent
// CHECK-NOT:     scf.parallel
// CHECK:         scf.for
func.func @not_independent(%x: !pl.tensor<[?], f32>) {
  %N = pl.bind "N" %x[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  pl.parallel %i = %c0 to %N step %c1 {
    pl.write %one, %x[%i] : f32, !pl.tensor<[?], f32>
  }
  return
}
