// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline="builtin.module(func.func(tegula-cuda-assign-layouts{warpgroups=true}))" | FileCheck %s --enable-var-scope

// Four warps multiply 64 rows together: operands stay in shared memory, one that all iterations share before the loop. A
// matmul of too few columns is done by each warp for itself.

// CHECK-LABEL: @loop
func.func @loop(%q: !pl.tensor<[64, 64], bf16>, %b: !pl.tensor<[?, 64], bf16>, %c: !pl.tensor<[64, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %start = pl.full %zero, [%c64, %c1] : f32 -> <[64, 1], f32>
    // CHECK: %[[Q:.*]] = pl.load
    // CHECK: %[[LEFT:.*]] = cuda.convert_layout %[[Q]] {{.*}} to #cuda.shared_operand<lhs>
    // CHECK: scf.for
    %s = scf.for %k = %c0 to %c512 step %c64 iter_args(%most = %start) -> (!pl.tile<[64, 1], f32>) {
      %right = pl.slice %b[%k, %c0] [%c64, %c64] : <[?, 64], bf16> -> <[upto 64, 64], bf16>
      %x = pl.load %q : <[64, 64], bf16>
      %y = pl.load %right : <[upto 64, 64], bf16>
      // CHECK: %[[B:.*]] = cuda.convert_layout %{{.*}} to #cuda.shared_operand<rhs>
      // CHECK: pl.matmul %[[LEFT]], %[[B]]
      %t = pl.matmul %x, %y {transpose_rhs} : <[64, 64], bf16>, <[upto 64, 64], bf16>
      %r = pl.reduce max %t axis 1 : <[64, upto 64], f32>
      %m = pl.maximum %most, %r : !pl.tile<[64, 1], f32>, !pl.tile<[64, 1], f32>
      scf.yield %m : !pl.tile<[64, 1], f32>
    }
    pl.store %s, %c : <[64, 1], f32>, <[64, 1], f32>
  }
  return
}

// The lhs has columns that the rhs may have no rows for, and is masked by both: it is converted in each iteration.
// CHECK-LABEL: @ends
func.func @ends(%q: !pl.tensor<[64, 64], bf16>, %b: !pl.tensor<[?, 64], bf16>, %c: !pl.tensor<[64, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %start = pl.full %zero, [%c64, %c64] : f32 -> <[64, 64], f32>
    // CHECK: scf.for
    %s = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %start) -> (!pl.tile<[64, 64], f32>) {
      %right = pl.slice %b[%k, %c0] [%c64, %c64] : <[?, 64], bf16> -> <[upto 64, 64], bf16>
      %x = pl.load %q : <[64, 64], bf16>
      %y = pl.load %right : <[upto 64, 64], bf16>
      // CHECK: cuda.convert_layout %{{.*}} to #cuda.dot_operand<lhs, <warps = [4, 1]>>
      %t = pl.matmul %x, %y acc %acc : <[64, 64], bf16>, <[upto 64, 64], bf16>, !pl.tile<[64, 64], f32>
      scf.yield %t : !pl.tile<[64, 64], f32>
    }
    pl.store %s, %c : <[64, 64], f32>, <[64, 64], f32>
  }
  return
}

// CHECK-LABEL: @narrow
func.func @narrow(%a: !pl.tensor<[64, 64], bf16>, %b: !pl.tensor<[64, 4], bf16>, %c: !pl.tensor<[64, 4], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[64, 64], bf16>
    %y = pl.load %b : <[64, 4], bf16>
    // CHECK-NOT: shared_operand
    %s = pl.matmul %x, %y : <[64, 64], bf16>, <[64, 4], bf16>
    pl.store %s, %c : <[64, 4], f32>, <[64, 4], f32>
  }
  return
}
