// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --mlir-disable-threading --tegula-print-plan="memories=left:0:64,right:0:64,accumulator:0:64 widen-operands=0 compute-on-tensors=0 core-transfers=1" -o /dev/null | FileCheck %s

// What an op reads of a product is moved to the memory of values first.
// CHECK-LABEL: plan of @epilogue
// CHECK:         left at {{.*}}: %0
// CHECK:         accumulator at {{.*}}: %1
// CHECK:         scratchpad at {{.*}}: %2
func.func @epilogue(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 8], f32>
  %p = pl.matmul %a, %a : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  %e = pl.exp %p : !pl.tile<[8, 8], f32>
  pl.store %e, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}

// What is stored as it is leaves from where it is.
// CHECK-LABEL: plan of @keep_bare_matmul
// CHECK-NOT:     scratchpad at
// CHECK:         accumulator at
func.func @keep_bare_matmul(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 8], f32>
  %p = pl.matmul %a, %a : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  pl.store %p, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}

// What an op makes is in memory before it goes to the factors.
// CHECK-LABEL: plan of @prologue
// CHECK:         scratchpad at {{.*}}: %0, %1
// CHECK-DAG:     right at {{.*}}: %2
// CHECK-DAG:     left at {{.*}}: %3
// CHECK-DAG:     accumulator at {{.*}}: %4
func.func @prologue(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 8], f32>
  %e = pl.exp %a : !pl.tile<[8, 8], f32>
  %p = pl.matmul %e, %e : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  pl.store %p, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}

// What both sides read is loaded twice.
// CHECK-LABEL: plan of @both
// CHECK-DAG:     scratchpad at {{.*}}: %0
// CHECK-DAG:     left at {{.*}}: %1
func.func @both(%x: !pl.tensor<[8, 8], f32>, %y: !pl.tensor<[8, 8], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 8], f32>
  %p = pl.matmul %a, %a : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  %s = pl.add %p, %a : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  pl.store %s, %y : !pl.tile<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}
