// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --mlir-disable-threading --tegula-print-plan="memories=matrix:0:64,left:0:32,accumulator:0:64 widen-operands=0" -o /dev/null | FileCheck %s
// RUN: tegula-opt %s --mlir-disable-threading --tegula-print-plan -o /dev/null | FileCheck %s --check-prefix=ONE
// RUN: tegula-opt %s --mlir-disable-threading --tegula-print-plan="compute-on-tensors=0" -o /dev/null | FileCheck %s --check-prefix=COPY

// What is asked for is obeyed: the load lies in the memory of matrices and is moved to that of lhs operands, where the
// product finds it. The sum goes from the accumulators to the scratchpad.
// CHECK-LABEL: plan of @asked
// CHECK-NEXT:   frame of func.func, 256 bytes of scratchpad, 256 bytes of matrix, 256 bytes of left, 256 bytes of accumulator
// CHECK-NEXT:     matrix at 0: 256 bytes of f32, live {{.*}}: %0
// CHECK-NEXT:     left at 0: 256 bytes of f32, live {{.*}}: %1
// CHECK-NEXT:     accumulator at 0: 256 bytes of f32, live {{.*}}: %2
// CHECK-NEXT:     scratchpad at 0: 256 bytes of f32, live {{.*}}: %3
// A machine with one memory has nothing to obey.
// ONE-LABEL: plan of @asked
// ONE-NEXT:    frame of func.func, 256 bytes of scratchpad
// ONE-NEXT:      scratchpad at 0: 256 bytes of f32, live {{.*}}: %1
// ONE-NEXT:    %0 is read in place
// COPY-LABEL: plan of @asked
// COPY-NEXT:   frame of func.func, 512 bytes of scratchpad
// COPY-NEXT:     scratchpad at 0: 256 bytes of f32, live {{.*}}: %0
// COPY-NEXT:     scratchpad at 256: 256 bytes of f32, live {{.*}}: %1
func.func @asked(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x {pl.space = #pl.space<matrix>} : !pl.tensor<[8, 8], f32>
  %l = pl.relax %a {pl.space = #pl.space<left>} : !pl.tile<[8, 8], f32> -> !pl.tile<[8, 8], f32>
  %p = pl.matmul %l, %a : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  %s = pl.relax %p {pl.space = #pl.space<scratchpad>} : !pl.tile<[8, 8], f32> -> !pl.tile<[8, 8], f32>
  pl.store %s, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}

// A window in another memory is a copy; one in the same lies in what it is taken from.
// CHECK-LABEL: plan of @window
// CHECK-NEXT:   frame of func.func, 256 bytes of matrix, 32 bytes of left
// CHECK-NEXT:     matrix at 0: 256 bytes of f32, live {{.*}}: %0
// CHECK-NEXT:     left at 0: 16 bytes of f32, live {{.*}}: %2
// CHECK-NEXT:   %1 lies in %0
// CHECK-NEXT:   %3 lies in %0
func.func @window(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[2, 2], f32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = pl.load %x {pl.space = #pl.space<matrix>} : !pl.tensor<[8, 8], f32>
  %w = pl.window %a[%c0, %c0] [%c2, %c2] {pl.space = #pl.space<left>} : !pl.tile<[8, 8], f32> -> !pl.tile<[2, 2], f32>
  %v = pl.window %a[%c0, %c0] [%c2, %c2] {pl.space = #pl.space<matrix>} : !pl.tile<[8, 8], f32> -> !pl.tile<[2, 2], f32>
  pl.store %w, %y : !pl.tile<[2, 2], f32>, !pl.tensor<[2, 2], f32>
  pl.store %v, %y : !pl.tile<[2, 2], f32>, !pl.tensor<[2, 2], f32>
  return
}

// Where tensors are out of reach, what is stored is computed in a memory first.
// ONE-LABEL: plan of @fused
// ONE-NEXT:    frame of func.func{{$}}
// COPY-LABEL: plan of @fused
// COPY-NEXT:   frame of func.func, 512 bytes of scratchpad
// COPY-NEXT:     scratchpad at 0: 256 bytes of f32, live {{.*}}: %0
// COPY-NEXT:     scratchpad at 256: 256 bytes of f32, live {{.*}}: %1 for pl.store
func.func @fused(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 8], f32>
  %e = pl.exp %a : !pl.tile<[8, 8], f32>
  pl.store %e, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}
