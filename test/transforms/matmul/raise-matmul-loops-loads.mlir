// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-raise-matmul-loops))' | FileCheck %s

// A factor may be loaded before the loops, in a core region of its own.

// CHECK-LABEL: @loaded_before
// CHECK-SAME:    %[[A:.*]]: !pl.tensor<[32, 32], f32>, %[[B:.*]]: !pl.tensor<[32, ?], f32>, %[[C:.*]]: !pl.tensor<[32, ?], f32>
// CHECK:         pl.matmul_into %[[A]], %[[B]] into %[[C]]
// CHECK-NOT:     pl.matmul
func.func @loaded_before(%a: !pl.tensor<[32, 32], f32>, %b: !pl.tensor<[32, ?], f32>, %c: !pl.tensor<[32, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[32, ?], f32>, !pl.tensor<[32, ?], f32>
  %at = pl.at core_group -> !pl.tile<[32, 32], f32> {
    %t = pl.load %a : <[32, 32], f32>
    pl.yield %t : !pl.tile<[32, 32], f32>
  }
  scf.for %j = %c0 to %N step %c32 {
    %bs = pl.slice %b[%c0, %j] [%c32, %c32] : <[32, ?], f32> -> <[32, upto 32], f32>
    %bt = pl.load %bs : <[32, upto 32], f32>
    %p = pl.matmul %at, %bt : <[32, 32], f32>, <[32, upto 32], f32>
    %cs = pl.slice %c[%c0, %j] [%c32, %c32] : <[32, ?], f32> -> <[32, upto 32], f32>
    pl.store %p, %cs : <[32, upto 32], f32>, <[32, upto 32], f32>
  }
  return
}

// What was loaded is overwritten before the loops start.

// CHECK-LABEL: @keep_what_was_read
// CHECK-NOT:     pl.matmul_into
// CHECK:         pl.matmul
func.func @keep_what_was_read(%a: !pl.tensor<[32, 32], f32>, %b: !pl.tensor<[32, ?], f32>, %c: !pl.tensor<[32, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[32, ?], f32>, !pl.tensor<[32, ?], f32>
  %at = pl.load %a : <[32, 32], f32>
  %none = pl.full %zero, [%c32, %c32] : f32 -> <[32, 32], f32>
  pl.store %none, %a : <[32, 32], f32>, <[32, 32], f32>
  scf.for %j = %c0 to %N step %c32 {
    %bs = pl.slice %b[%c0, %j] [%c32, %c32] : <[32, ?], f32> -> <[32, upto 32], f32>
    %bt = pl.load %bs : <[32, upto 32], f32>
    %p = pl.matmul %at, %bt : <[32, 32], f32>, <[32, upto 32], f32>
    %cs = pl.slice %c[%c0, %j] [%c32, %c32] : <[32, ?], f32> -> <[32, upto 32], f32>
    pl.store %p, %cs : <[32, upto 32], f32>, <[32, upto 32], f32>
  }
  return
}

// The same, in the region that loads it.

// CHECK-LABEL: @keep_what_a_region_read
// CHECK-NOT:     pl.matmul_into
// CHECK:         pl.matmul
func.func @keep_what_a_region_read(%a: !pl.tensor<[32, 32], f32>, %b: !pl.tensor<[32, ?], f32>, %c: !pl.tensor<[32, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[32, ?], f32>, !pl.tensor<[32, ?], f32>
  %at = pl.at core_group -> !pl.tile<[32, 32], f32> {
    %t = pl.load %a : <[32, 32], f32>
    %none = pl.full %zero, [%c32, %c32] : f32 -> <[32, 32], f32>
    pl.store %none, %a : <[32, 32], f32>, <[32, 32], f32>
    pl.yield %t : !pl.tile<[32, 32], f32>
  }
  scf.for %j = %c0 to %N step %c32 {
    %bs = pl.slice %b[%c0, %j] [%c32, %c32] : <[32, ?], f32> -> <[32, upto 32], f32>
    %bt = pl.load %bs : <[32, upto 32], f32>
    %p = pl.matmul %at, %bt : <[32, 32], f32>, <[32, upto 32], f32>
    %cs = pl.slice %c[%c0, %j] [%c32, %c32] : <[32, ?], f32> -> <[32, upto 32], f32>
    pl.store %p, %cs : <[32, upto 32], f32>, <[32, upto 32], f32>
  }
  return
}

// Products widen bytes and narrow floats themselves.

// CHECK-LABEL: @widened
// CHECK-SAME:    %[[A:.*]]: !pl.tensor<[32, 32], f32>, %[[B:.*]]: !pl.tensor<[32, ?], i8>, %[[C:.*]]: !pl.tensor<[32, ?], f32>
// CHECK:         pl.matmul_into %[[A]], %[[B]] into %[[C]]
// CHECK-NOT:     pl.matmul
func.func @widened(%a: !pl.tensor<[32, 32], f32>, %b: !pl.tensor<[32, ?], i8>, %c: !pl.tensor<[32, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[32, ?], i8>, !pl.tensor<[32, ?], f32>
  %at = pl.load %a : <[32, 32], f32>
  scf.for %j = %c0 to %N step %c32 {
    %bs = pl.slice %b[%c0, %j] [%c32, %c32] : <[32, ?], i8> -> <[32, upto 32], i8>
    %bt = pl.load %bs : <[32, upto 32], i8>
    %bw = pl.cast %bt none : !pl.tile<[32, upto 32], i8> -> !pl.tile<[32, upto 32], f32>
    %p = pl.matmul %at, %bw : <[32, 32], f32>, <[32, upto 32], f32>
    %cs = pl.slice %c[%c0, %j] [%c32, %c32] : <[32, ?], f32> -> <[32, upto 32], f32>
    pl.store %p, %cs : <[32, upto 32], f32>, <[32, upto 32], f32>
  }
  return
}

// The instruction for pairs rounds otherwise than products of FP32 do.

// CHECK-LABEL: @keep_pairs_that_are_widened
// CHECK-NOT:     pl.matmul_into
// CHECK:         pl.matmul
func.func @keep_pairs_that_are_widened(%a: !pl.tensor<[32, 32], bf16>, %b: !pl.tensor<[32, ?], bf16>, %c: !pl.tensor<[32, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[32, ?], bf16>, !pl.tensor<[32, ?], f32>
  %at = pl.load %a : <[32, 32], bf16>
  %aw = pl.cast %at none : !pl.tile<[32, 32], bf16> -> !pl.tile<[32, 32], f32>
  scf.for %j = %c0 to %N step %c32 {
    %bs = pl.slice %b[%c0, %j] [%c32, %c32] : <[32, ?], bf16> -> <[32, upto 32], bf16>
    %bt = pl.load %bs : <[32, upto 32], bf16>
    %bw = pl.cast %bt none : !pl.tile<[32, upto 32], bf16> -> !pl.tile<[32, upto 32], f32>
    %p = pl.matmul %aw, %bw : <[32, 32], f32>, <[32, upto 32], f32>
    %cs = pl.slice %c[%c0, %j] [%c32, %c32] : <[32, ?], f32> -> <[32, upto 32], f32>
    pl.store %p, %cs : <[32, upto 32], f32>, <[32, upto 32], f32>
  }
  return
}

// An iteration takes more rows than there are, and the tile says how many there are.

// CHECK-LABEL: @few_rows
// CHECK:       %[[SUM:.*]] = pl.create_tensor
// CHECK:       pl.matmul_into %{{.*}}, %{{.*}} into %[[SUM]]
// CHECK:       pl.slice %[[SUM]][%{{.*}}] [%{{.*}}] : <[?, ?], f32> -> <[upto 1, ?], f32>
func.func @few_rows(%a: !pl.tensor<[1, 16], f32>, %b: !pl.tensor<[16, ?], f32>, %c: !pl.tensor<[1, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  %c16 = arith.constant 16 : index
  %N = pl.bind "N" %b[1] : !pl.tensor<[16, ?], f32>
  pl.parallel %i = %c0 to %c1 step %c14 independent {
    %as = pl.slice %a[%i, %c0] [%c14, %c16] : <[1, 16], f32> -> <[upto 1, 16], f32>
    %at = pl.load %as : <[upto 1, 16], f32>
    %bt = pl.load %b : <[16, ?], f32>
    %sum = pl.matmul %at, %bt : <[upto 1, 16], f32>, <[16, ?], f32>
    %most = pl.reduce max %sum axis 1 : !pl.tile<[upto 1, ?], f32>
    %cs = pl.slice %c[%i, %c0] [%c14, %c1] : <[1, 1], f32> -> <[upto 1, 1], f32>
    pl.store %most, %cs : <[upto 1, 1], f32>, <[upto 1, 1], f32>
  }
  return
}
