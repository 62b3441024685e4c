// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --mlir-disable-threading --tegula-print-plan -o /dev/null | FileCheck %s
// RUN: tegula-opt %s --mlir-disable-threading --tegula-print-plan="memories=left:0:64,right:0:64,accumulator:0:64 widen-operands=0 iteration-frames=0" -o /dev/null | FileCheck %s --check-prefix=MATRIX

// Only what two ops read has memory, and that is free again after the second.
// CHECK-LABEL: plan of @fuse
// CHECK-NEXT:   frame of func.func, 320 bytes of scratchpad
// CHECK-NEXT:     scratchpad at 0: 256 bytes of f32, live 4 to 6: %1
// CHECK-NEXT:     scratchpad at 256: 4 bytes of f32, live 5 to 8: %2
// CHECK-NEXT:     scratchpad at 0: 256 bytes of f32, live 8 to 10: %4
// CHECK-NEXT:   computed where read: %3
// CHECK-NEXT:   %0 is read in place
func.func @fuse(%x: !pl.tensor<[1, 64], f32>, %y: !pl.tensor<[1, 64], f32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = pl.load %x : !pl.tensor<[1, 64], f32>
  %e = pl.exp %a : !pl.tile<[1, 64], f32>
  %s = pl.reduce sum %e axis 1 : !pl.tile<[1, 64], f32>
  pl.store %e, %y : !pl.tile<[1, 64], f32>, !pl.tensor<[1, 64], f32>
  %b = pl.broadcast %s, [%c1, %c64] : !pl.tile<[1, 1], f32> -> !pl.tile<[1, 64], f32>
  %n = pl.neg %b : !pl.tile<[1, 64], f32>
  pl.store %n, %x : !pl.tile<[1, 64], f32>, !pl.tensor<[1, 64], f32>
  pl.store %n, %y : !pl.tile<[1, 64], f32>, !pl.tensor<[1, 64], f32>
  return
}

// What is carried stays in one buffer; tiles that change places go through copies.
// CHECK-LABEL: plan of @carry
// CHECK-NEXT:   frame of func.func, 1280 bytes of scratchpad
// CHECK-NEXT:     scratchpad at 0: 256 bytes of f32, live 5 to 9: %2#0, %[[S:.*]]{{$}}
// CHECK-NEXT:     scratchpad at 256: 256 bytes of f32, live 5 to 10: %2#1, %[[T:.*]]{{$}}
// CHECK-NEXT:     scratchpad at 512: 256 bytes of f32, live 5 to 11: %2#2, %{{.*}}
// CHECK-NEXT:     scratchpad at 768: 256 bytes of f32, live 7 to 7: %[[T]] for scf.yield
// CHECK-NEXT:     scratchpad at 1024: 256 bytes of f32, live 7 to 7: %[[S]] for scf.yield
func.func @carry(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.load %x : !pl.tensor<[64], f32>
  %b = pl.load %y : !pl.tensor<[64], f32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b, %u = %a) -> (!pl.tile<[64], f32>, !pl.tile<[64], f32>, !pl.tile<[64], f32>) {
    %v = pl.add %u, %b : !pl.tile<[64], f32>, !pl.tile<[64], f32>
    scf.yield %t, %s, %v : !pl.tile<[64], f32>, !pl.tile<[64], f32>, !pl.tile<[64], f32>
  }
  pl.store %r#0, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  pl.store %r#1, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  pl.store %r#2, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// What a branch hands out is computed where it is read afterwards.
// CHECK-LABEL: plan of @branch
// CHECK-NEXT:   frame of func.func, 256 bytes of scratchpad
// CHECK-NEXT:     scratchpad at 0: 256 bytes of f32, live 3 to 9: %1, %2{{$}}
func.func @branch(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %c: i1) {
  %a = pl.load %x : !pl.tensor<[64], f32>
  %r = scf.if %c -> (!pl.tile<[64], f32>) {
    %e = pl.exp %a : !pl.tile<[64], f32>
    pl.store %e, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
    scf.yield %e : !pl.tile<[64], f32>
  } else {
    %m = pl.neg %a : !pl.tile<[64], f32>
    scf.yield %m : !pl.tile<[64], f32>
  }
  pl.store %r, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// Each iteration that runs at once has a frame. The accumulator is carried in place, the operands are widened, and a
// window lies in what it is taken from.
// CHECK-LABEL: plan of @matmul
// CHECK-NEXT:   frame of func.func{{$}}
// CHECK-NEXT:   frame of pl.parallel, 49152 bytes of scratchpad
// CHECK-NEXT:     scratchpad at 0: 16384 bytes of f32, live 8 to 15: %1, %{{.*}}, %5
// CHECK-NEXT:     scratchpad at 16384: 16384 bytes of f32, live 10 to 10: %4 for pl.matmul
// CHECK-NEXT:     scratchpad at 32768: 16384 bytes of f32, live 10 to 10: %4 for pl.matmul
// CHECK-NEXT:   computed where read: %0
// CHECK-NEXT:   %4 is read in place
// CHECK-NEXT:   %2 lies in %1
// Operands and accumulators in memories of their own.
// MATRIX-LABEL: plan of @matmul
// MATRIX-NEXT:   frame of func.func, 8192 bytes of left, 8192 bytes of right, 16384 bytes of accumulator
// MATRIX-NEXT:     accumulator at 0: 16384 bytes of f32, live 8 to 15: %1, %{{.*}}, %5
// MATRIX-NEXT:     left at 0: 8192 bytes of bf16, live 10 to 10: %4 for pl.matmul
// MATRIX-NEXT:     right at 0: 8192 bytes of bf16, live 10 to 10: %4 for pl.matmul
func.func @matmul(%x: !pl.tensor<[64, 64], bf16>, %y: !pl.tensor<[64, 64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  pl.parallel %i = %c0 to %n step %c1 independent {
    %z = pl.full %zero, [%c64, %c64] : f32 -> !pl.tile<[64, 64], f32>
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%s = %z) -> (!pl.tile<[64, 64], f32>) {
      %a = pl.load %x : !pl.tensor<[64, 64], bf16>
      %p = pl.matmul %a, %a acc %s : !pl.tile<[64, 64], bf16>, !pl.tile<[64, 64], bf16>, !pl.tile<[64, 64], f32>
      scf.yield %p : !pl.tile<[64, 64], f32>
    }
    %w = pl.window %r[%c0, %c0] [%c8, %c8] : !pl.tile<[64, 64], f32> -> !pl.tile<[8, 8], f32>
    %t = pl.slice %y[%c0, %c0] [%c8, %c8] : !pl.tensor<[64, 64], f32> -> !pl.tensor<[8, 8], f32>
    pl.store %w, %t : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  }
  return
}

// A tile takes the place of one that is read for the last time, element by element; not that of one that is moved.
// CHECK-LABEL: plan of @replace
// CHECK-NEXT:   frame of func.func, 32768 bytes of scratchpad
// CHECK-NEXT:     scratchpad at 0: 16384 bytes of f32, live {{.*}}: %1, %2
// CHECK-NEXT:     scratchpad at 16384: 16384 bytes of f32, live {{.*}}: %4
func.func @replace(%x: !pl.tensor<[64, 64], f32>, %y: !pl.tensor<[64, 64], f32>) {
  %a = pl.load %x : !pl.tensor<[64, 64], f32>
  %p = pl.matmul %a, %a : !pl.tile<[64, 64], f32>, !pl.tile<[64, 64], f32>
  %e = pl.exp %p : !pl.tile<[64, 64], f32>
  pl.store %e, %y : !pl.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
  %t = pl.transpose %e [1, 0] : !pl.tile<[64, 64], f32>
  %n = pl.neg %t : !pl.tile<[64, 64], f32>
  pl.store %n, %x : !pl.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
  pl.store %n, %y : !pl.tile<[64, 64], f32>, !pl.tensor<[64, 64], f32>
  return
}
