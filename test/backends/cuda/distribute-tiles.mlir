// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline="builtin.module(func.func(tegula-cuda-distribute-tiles))" | FileCheck %s --enable-var-scope

// A thread has one element of each row; where all are there and rows are aligned, nothing is checked.

// CHECK-LABEL: @elements
func.func @elements(%a: !pl.tensor<[upto 2, 32], f32>, %c: !pl.tensor<[upto 2, 32], f32>) attributes {tegula.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: pl.parallel
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // CHECK: cuda.thread of 32
    // CHECK: cuda.unpack_view
    // CHECK: %[[LOADED:.*]]:2 = scf.if %{{.*}} -> (f32, f32) {
    // CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr -> i32
    // CHECK: } else {
    // CHECK: scf.if %{{.*}} -> (f32) {
    %x = pl.load %a : <[upto 2, 32], f32>
    // CHECK: math.exp %[[LOADED]]#0
    // CHECK: math.exp %[[LOADED]]#1
    %e = pl.exp %x {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 1]>} : !pl.tile<[upto 2, 32], f32>
    pl.store %e, %c {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 1]>} : <[upto 2, 32], f32>, <[upto 2, 32], f32>
  }
  return
}

// Lanes exchange what they have of a row, warps leave it in shared memory.

// CHECK-LABEL: @row_sums
func.func @row_sums(%a: !pl.tensor<[1, 64], f32>, %c: !pl.tensor<[1, 1], f32>) attributes {tegula.warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[1, 64], f32>
    // CHECK: cuda.exchange %{{.*}} apart 1
    // CHECK: cuda.exchange %{{.*}} apart 16
    // CHECK: cuda.barrier
    // CHECK: llvm.store
    // CHECK: cuda.barrier
    // CHECK-COUNT-2: llvm.load
    %s = pl.reduce sum %x axis 1 {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 2]>} : <[1, 64], f32>
    pl.store %s, %c {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 2]>} : <[1, 1], f32>, <[1, 1], f32>
  }
  return
}

// What the tensor cores left is an operand of theirs as it is: nothing passes through memory.

// CHECK-LABEL: @accumulator_as_operand
func.func @accumulator_as_operand(%a: !pl.tensor<[16, 16], bf16>, %c: !pl.tensor<[16, 16], f32>) attributes {tegula.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[16, 16], bf16>
    %r = pl.cast %x none {cuda.layout = #cuda.mma<warps = [1, 1]>} : !pl.tile<[16, 16], bf16> -> !pl.tile<[16, 16], f32>
    %n = pl.cast %r rint {cuda.layout = #cuda.mma<warps = [1, 1]>} : !pl.tile<[16, 16], f32> -> !pl.tile<[16, 16], bf16>
    %p = cuda.convert_layout %n : <[16, 16], bf16> to #cuda.dot_operand<lhs, <warps = [1, 1]>>
    %q = cuda.convert_layout %x : <[16, 16], bf16> to #cuda.dot_operand<rhs, <warps = [1, 1]>>
    // CHECK-NOT: cuda.barrier
    // CHECK-COUNT-2: llvm.inline_asm {{.*}}mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
    %m = pl.matmul %p, %q {cuda.layout = #cuda.mma<warps = [1, 1]>} : <[16, 16], bf16>, <[16, 16], bf16>
    pl.store %m, %c {cuda.layout = #cuda.mma<warps = [1, 1]>} : <[16, 16], f32>, <[16, 16], f32>
  }
  return
}

// FP32 before a result of 16 bits may be approximate; before one of FP32 it is exact.

// CHECK-LABEL: @narrow_result
func.func @narrow_result(%a: !pl.tensor<[1, 32], f32>, %c: !pl.tensor<[1, 32], bf16>) attributes {tegula.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[1, 32], f32>
    // CHECK: math.tanh %{{.*}} fastmath<afn>
    %e = pl.tanh %x {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 1]>} : !pl.tile<[1, 32], f32>
    %n = pl.cast %e rint {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 1]>} : !pl.tile<[1, 32], f32> -> !pl.tile<[1, 32], bf16>
    pl.store %n, %c {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 1]>} : <[1, 32], bf16>, <[1, 32], bf16>
  }
  return
}

// CHECK-LABEL: @wide_result
func.func @wide_result(%a: !pl.tensor<[1, 32], f32>, %c: !pl.tensor<[1, 32], f32>) attributes {tegula.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[1, 32], f32>
    // CHECK: math.tanh %{{[0-9]+}} : f32
    %e = pl.tanh %x {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 1]>} : !pl.tile<[1, 32], f32>
    pl.store %e, %c {cuda.layout = #cuda.blocked<elements = [1, 1], lanes = [1, 32], warps = [1, 1]>} : <[1, 32], f32>, <[1, 32], f32>
  }
  return
}

// Operands of multiply-adds pass through shared memory. A step sums up four columns, as far as both operands go: a
// thread reads vectors of a row of each.

// CHECK-LABEL: @multiply_adds
func.func @multiply_adds(%a: !pl.tensor<[16, 8], f32>, %b: !pl.tensor<[upto 8, 32], f32>, %c: !pl.tensor<[16, 32], f32>) attributes {tegula.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // CHECK: cuda.shared_memory 1536
    %x = pl.load %a : <[16, 8], f32>
    %y = pl.load %b : <[upto 8, 32], f32>
    %p = cuda.convert_layout %x : <[16, 8], f32> to #cuda.fma_operand<lhs>
    %q = cuda.convert_layout %y : <[upto 8, 32], f32> to #cuda.fma_operand<rhs>
    // CHECK-COUNT-4: cuda.barrier
    // CHECK: scf.for {{.*}} step %c4
    // CHECK-COUNT-8: llvm.load {{.*}} -> vector<4xi32>
    // CHECK-NOT: llvm.load
    // CHECK-COUNT-64: math.fma
    // CHECK: scf.for {{.*}} step %c1
    // CHECK-COUNT-16: math.fma
    %s = pl.matmul %p, %q {cuda.layout = #cuda.blocked<elements = [1, 4], lanes = [4, 8], warps = [1, 1]>} : <[16, 8], f32>, <[upto 8, 32], f32>
    pl.store %s, %c {cuda.layout = #cuda.blocked<elements = [1, 4], lanes = [4, 8], warps = [1, 1]>} : <[16, 32], f32>, <[16, 32], f32>
  }
  return
}

// Four bytes of a row are a word.

// CHECK-LABEL: @bytes
func.func @bytes(%a: !pl.tensor<[16, 32], i8>, %b: !pl.tensor<[32, 8], i8>, %c: !pl.tensor<[16, 8], i32>) attributes {tegula.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a {cuda.layout = #cuda.blocked<elements = [1, 16], lanes = [16, 2], warps = [1, 1]>} : <[16, 32], i8>
    %y = pl.load %b : <[32, 8], i8>
    // CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
    // CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {{.*}} "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r"
    %p = cuda.convert_layout %x : <[16, 32], i8> to #cuda.dot_operand<lhs, <warps = [1, 1]>, bits = 8>
    %q = cuda.convert_layout %y : <[32, 8], i8> to #cuda.dot_operand<rhs, <warps = [1, 1]>, bits = 8>
    %s = pl.matmul %p, %q {cuda.layout = #cuda.mma<warps = [1, 1]>} : <[16, 32], i8>, <[32, 8], i8>
    pl.store %s, %c {cuda.layout = #cuda.mma<warps = [1, 1]>} : <[16, 8], i32>, <[16, 8], i32>
  }
  return
}

// A computed operand that is transposed goes to shared memory as threads hold it, and is read the other way round. It
// is masked before: what is in one thread is in several afterwards.

// CHECK-LABEL: @computed_operand
func.func @computed_operand(%a: !pl.tensor<[16, 16], bf16>, %b: !pl.tensor<[8, upto 16], f32>, %c: !pl.tensor<[16, 8], f32>) attributes {tegula.warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[16, 16], bf16>
    %y = pl.load %b : <[8, upto 16], f32>
    %e = pl.exp %y {cuda.layout = #cuda.blocked<elements = [1, 4], lanes = [8, 4], warps = [1, 1]>} : !pl.tile<[8, upto 16], f32>
    %n = pl.cast %e none {cuda.layout = #cuda.blocked<elements = [1, 4], lanes = [8, 4], warps = [1, 1]>} : !pl.tile<[8, upto 16], f32> -> !pl.tile<[8, upto 16], bf16>
    %t = pl.transpose %n [1, 0] {cuda.layout = #cuda.blocked<elements = [1, 4], lanes = [16, 2], warps = [1, 1]>} : <[8, upto 16], bf16>
    %p = cuda.convert_layout %x : <[16, 16], bf16> to #cuda.dot_operand<lhs, <warps = [1, 1]>>
    // CHECK-COUNT-4: arith.select {{.*}} : f32
    // CHECK: cuda.barrier
    // CHECK: llvm.store {{.*}} : vector<2xi32>, !llvm.ptr
    // CHECK-NOT: llvm.store
    // CHECK: cuda.barrier
    // CHECK: mma.sync
    %q = cuda.convert_layout %t : <[upto 16, 8], bf16> to #cuda.dot_operand<rhs, <warps = [1, 1]>>
    %s = pl.matmul %p, %q {cuda.layout = #cuda.mma<warps = [1, 1]>} : <[16, 16], bf16>, <[upto 16, 8], bf16>
    pl.store %s, %c {cuda.layout = #cuda.mma<warps = [1, 1]>} : <[16, 8], f32>, <[16, 8], f32>
  }
  return
}
