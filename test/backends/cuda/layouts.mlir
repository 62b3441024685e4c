// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

// CHECK-LABEL: @layouts
func.func @layouts(%view: !pl.tensor<[upto 64, 64], bf16>, %out: !pl.tensor<[upto 64, 64], bf16>) {
  // CHECK: pl.load {{.*}} {cuda.layout = #cuda.blocked<elements = [1, 8], lanes = [4, 8], warps = [2, 1]>}
  %t = pl.load %view {cuda.layout = #cuda.blocked<elements = [1, 8], lanes = [4, 8], warps = [2, 1]>} : <[upto 64, 64], bf16>
  // CHECK: cuda.convert_layout %{{.*}} : <[upto 64, 64], bf16> to #cuda.dot_operand<lhs, <warps = [2, 1]>>
  %l = cuda.convert_layout %t : <[upto 64, 64], bf16> to #cuda.dot_operand<lhs, <warps = [2, 1]>>
  // CHECK: cuda.convert_layout %{{.*}} : <[upto 64, 64], bf16> to #cuda.dot_operand<rhs, <warps = [2, 1]>>
  %r = cuda.convert_layout %t : <[upto 64, 64], bf16> to #cuda.dot_operand<rhs, <warps = [2, 1]>>
  // CHECK: cuda.convert_layout %{{.*}} : <[upto 64, 64], bf16> to #cuda.dot_operand<rhs, <warps = [2, 1]>, bits = 8>
  %b = cuda.convert_layout %t : <[upto 64, 64], bf16> to #cuda.dot_operand<rhs, <warps = [2, 1]>, bits = 8>
  // CHECK: cuda.convert_layout %{{.*}} : <[upto 64, 64], bf16> to #cuda.shared_operand<rhs>
  %s = cuda.convert_layout %t : <[upto 64, 64], bf16> to #cuda.shared_operand<rhs>
  // CHECK: cuda.convert_layout %{{.*}} : <[upto 64, 64], bf16> to #cuda.fma_operand<lhs>
  %f = cuda.convert_layout %t : <[upto 64, 64], bf16> to #cuda.fma_operand<lhs>
  // CHECK: cuda.convert_layout %{{.*}} : <[upto 64, 64], bf16> to #cuda.mma<warps = [2, 1]>
  %m = cuda.convert_layout %t : <[upto 64, 64], bf16> to #cuda.mma<warps = [2, 1]>
  // CHECK: pl.store {{.*}} {cuda.layout = #cuda.slice<1, #cuda.mma<warps = [2, 1]>>}
  pl.store %m, %out {cuda.layout = #cuda.slice<1, #cuda.mma<warps = [2, 1]>>} : <[upto 64, 64], bf16>, <[upto 64, 64], bf16>
  return
}

// CHECK-LABEL: @threads
func.func @threads(%view: !pl.tensor<[?, 8], f32>) -> i32 {
  // CHECK: %[[THREAD:.*]] = cuda.thread of 128
  %t = cuda.thread of 128
  // CHECK: cuda.shared_memory 4096 : !llvm.ptr
  %m = cuda.shared_memory 4096 : !llvm.ptr
  // CHECK: cuda.unpack_view %{{.*}} : <[?, 8], f32> -> !llvm.ptr, index, index, index, index
  %p, %n:4 = cuda.unpack_view %view : <[?, 8], f32> -> !llvm.ptr, index, index, index, index
  // CHECK: cuda.barrier
  cuda.barrier
  // CHECK: cuda.exchange %[[THREAD]] apart 16
  %x = cuda.exchange %t apart 16
  return %x : i32
}
