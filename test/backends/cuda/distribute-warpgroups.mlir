// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline="builtin.module(func.func(tegula-cuda-assign-layouts{warpgroups=true},tegula-cuda-distribute-tiles{most-shared=223232}))" | FileCheck %s --enable-var-scope

// Copies are prefetched some iterations ahead. What threads copied is fenced before others multiply it; both matmuls
// are begun before one is waited for, and copies begin meanwhile.

// CHECK-LABEL: @two
func.func @two(%a: !pl.tensor<[64, 512], bf16>, %b: !pl.tensor<[512, 64], bf16>, %c: !pl.tensor<[64, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %start = pl.full %zero, [%c64, %c64] : f32 -> <[64, 64], f32>
    // CHECK: "cp.async.commit_group;"
    // CHECK: "cp.async.commit_group;"
    // CHECK: scf.for
    // CHECK: "cp.async.wait_group {{[12]}};"
    // CHECK: "fence.proxy.async.shared::cta;"
    // CHECK: cuda.barrier
    %s, %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%first = %start, %second = %start) -> (!pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>) {
      %left = pl.slice %a[%c0, %k] [%c64, %c64] : <[64, 512], bf16> -> <[64, upto 64], bf16>
      %right = pl.slice %b[%k, %c0] [%c64, %c64] : <[512, 64], bf16> -> <[upto 64, 64], bf16>
      %x = pl.load %left : <[64, upto 64], bf16>
      %y = pl.load %right : <[upto 64, 64], bf16>
      // CHECK: "wgmma.fence.sync.aligned;"
      // CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
      // CHECK: "wgmma.commit_group.sync.aligned;"
      // CHECK-NOT: wgmma.wait_group
      %t = pl.matmul %x, %y acc %first : <[64, upto 64], bf16>, <[upto 64, 64], bf16>, !pl.tile<[64, 64], f32>
      // CHECK: "wgmma.commit_group.sync.aligned;"
      // CHECK: "cp.async.commit_group;"
      // CHECK-COUNT-2: "wgmma.wait_group.sync.aligned 0;"
      %u = pl.matmul %x, %y acc %second : <[64, upto 64], bf16>, <[upto 64, 64], bf16>, !pl.tile<[64, 64], f32>
      scf.yield %t, %u : !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>
    }
    %all = pl.add %s, %r : !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>
    pl.store %all, %c : <[64, 64], f32>, <[64, 64], f32>
  }
  return
}

// All that the loop does is to add to accumulators, which fill the registers of a multiprocessor: its wgmma goes on while
// the next iteration begins, and the stage that it reads is not filled yet. After the loop it is waited for.
// CHECK-LABEL: @in_flight
func.func @in_flight(%a: !pl.tensor<[128, 512], bf16>, %b: !pl.tensor<[512, 256], bf16>, %c: !pl.tensor<[128, 256], f32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // CHECK: cuda.thread of 256 {{{.*}}tegula.resident_blocks = 1
    %start = pl.full %zero, [%c128, %c256] : f32 -> <[128, 256], f32>
    // CHECK-COUNT-2: "cp.async.commit_group;"
    // CHECK: scf.if
    // CHECK: scf.for
    // CHECK: "cp.async.wait_group 1;"
    %s = scf.for %j = %c0 to %k step %c64 iter_args(%acc = %start) -> (!pl.tile<[128, 256], f32>) {
      %left = pl.slice %a[%c0, %j] [%c128, %c64] : <[128, 512], bf16> -> <[128, upto 64], bf16>
      %right = pl.slice %b[%j, %c0] [%c64, %c256] : <[512, 256], bf16> -> <[upto 64, 256], bf16>
      %x = pl.load %left : <[128, upto 64], bf16>
      %y = pl.load %right : <[upto 64, 256], bf16>
      // CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16
      // CHECK: "wgmma.commit_group.sync.aligned;"
      // CHECK: "cp.async.commit_group;"
      // CHECK-NOT: "wgmma.wait_group.sync.aligned 0;"
      // CHECK: "wgmma.wait_group.sync.aligned 1;"
      // CHECK: scf.yield
      %t = pl.matmul %x, %y acc %acc : <[128, upto 64], bf16>, <[upto 64, 256], bf16>, !pl.tile<[128, 256], f32>
      scf.yield %t : !pl.tile<[128, 256], f32>
    }
    // CHECK: "wgmma.wait_group.sync.aligned 0;"
    pl.store %s, %c : <[128, 256], f32>, <[128, 256], f32>
  }
  return
}
