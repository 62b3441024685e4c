// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-raise-matmul-loops{whole-accumulators}))' | FileCheck %s

// What is stored is computed from tiles that read the accumulators.

// CHECK-LABEL: @loops
// CHECK-SAME:    %[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: {{.*}}) {
// CHECK:         %[[S:.*]] = pl.create_tensor[%{{.*}}, %{{.*}}] : <[?, ?], f32>
// CHECK:         pl.matmul_into %[[A]], %[[B]] into %[[S]] :
// CHECK-NOT:     pl.matmul
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             %[[W:.*]] = pl.slice %[[S]]
// CHECK:             %[[ACC:.*]] = pl.load %[[W]]
// CHECK:             pl.abs %[[ACC]]
// CHECK:             pl.store
func.func @loops(%a: !pl.tensor<[?, 16], f32>, %b: !pl.tensor<[16, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 16], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[16, ?], f32>, !pl.tensor<[?, ?], f32>
  scf.for %i = %c0 to %M step %c32 {
    scf.for %j = %c0 to %N step %c32 {
      %as = pl.slice %a[%i, %c0] [%c32, %c16] : <[?, 16], f32> -> <[upto 32, 16], f32>
      %at = pl.load %as : <[upto 32, 16], f32>
      %bs = pl.slice %b[%c0, %j] [%c16, %c32] : <[16, ?], f32> -> <[16, upto 32], f32>
      %bt = pl.load %bs : <[16, upto 32], f32>
      %p = pl.matmul %at, %bt : <[upto 32, 16], f32>, <[16, upto 32], f32>
      %r = pl.abs %p : !pl.tile<[upto 32, upto 32], f32>
      %cs = pl.slice %c[%i, %j] [%c32, %c32] : <[?, ?], f32> -> <[upto 32, upto 32], f32>
      pl.store %r, %cs : <[upto 32, upto 32], f32>, <[upto 32, upto 32], f32>
    }
  }
  return
}

// Two stores of one matmul.

// CHECK-LABEL: @whole_arrays
// CHECK:         %[[S:.*]] = pl.create_tensor
// CHECK:         pl.matmul_into %arg0, %arg1 into %[[S]] :
// CHECK-NOT:     pl.matmul
// CHECK:         %[[ACC:.*]] = pl.load %[[S]]
// CHECK:         %[[R:.*]] = pl.abs %[[ACC]]
// CHECK:         pl.store %[[R]], %arg2
// CHECK:         pl.store %[[ACC]], %arg3
func.func @whole_arrays(%a: !pl.tensor<[?, 16], f32>, %b: !pl.tensor<[16, ?], f32>, %c: !pl.tensor<[?, ?], f32>, %d: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0], %d[0] : !pl.tensor<[?, 16], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %c[1], %d[1] : !pl.tensor<[16, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %at = pl.load %a : <[?, 16], f32>
  %bt = pl.load %b : <[16, ?], f32>
  %p = pl.matmul %at, %bt : <[?, 16], f32>, <[16, ?], f32>
  %r = pl.abs %p : !pl.tile<[?, ?], f32>
  pl.store %r, %c : <[?, ?], f32>, <[?, ?], f32>
  pl.store %p, %d : <[?, ?], f32>, <[?, ?], f32>
  return
}

// An operand is computed.

// CHECK-LABEL: @keep_computed
// CHECK-NOT:     pl.matmul_into
// CHECK:         pl.matmul
func.func @keep_computed(%a: !pl.tensor<[?, 16], f32>, %b: !pl.tensor<[16, 8], f32>, %c: !pl.tensor<[?, 8], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 16], f32>, !pl.tensor<[?, 8], f32>
  %at = pl.load %a : <[?, 16], f32>
  %an = pl.neg %at : !pl.tile<[?, 16], f32>
  %bt = pl.load %b : <[16, 8], f32>
  %p = pl.matmul %an, %bt : <[?, 16], f32>, <[16, 8], f32>
  pl.store %p, %c : <[?, 8], f32>, <[?, 8], f32>
  return
}
