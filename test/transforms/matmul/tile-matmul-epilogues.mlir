// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-tile-matmul-epilogues{tile-rows=8 tile-columns=16}))' | FileCheck %s

// What repeats is computed before it is repeated.

// CHECK-LABEL: @block_of_rows
// CHECK-SAME:    %[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[V:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: {{.*}}) {
// CHECK:         pl.parallel %[[BLOCK:.*]] = {{.*}} independent {
// CHECK:           %[[SUM:.*]] = pl.create_tensor[%[[COUNT:.*]], %{{.*}}] : <[?, ?], f32>
// CHECK:           %[[ROWS:.*]] = pl.slice %[[A]][%[[BLOCK]], %{{.*}}] [%[[COUNT]],
// CHECK:           pl.matmul_into %[[ROWS]], %[[B]] into %[[SUM]] {transpose_rhs} :
// CHECK:           pl.parallel %[[I:.*]] = {{.*}} to %[[COUNT]] step
// CHECK:             pl.parallel %[[J:.*]] = {{.*}} independent {
// CHECK:               pl.at core_group {
// CHECK:                 %[[S:.*]] = pl.slice %[[SUM]][%[[I]], %[[J]]]
// CHECK:                 %[[ACC:.*]] = pl.load %[[S]] : <[upto 8, upto 16], f32>
// CHECK:                 %[[VS:.*]] = pl.slice %[[V]][%[[J]]]
// CHECK:                 %[[VT:.*]] = pl.load %[[VS]] : <[upto 16], f16>
// CHECK:                 %[[WIDE:.*]] = pl.cast %[[VT]] {{.*}} -> !pl.tile<[upto 16], f32>
// CHECK:                 %[[W:.*]] = pl.broadcast %[[WIDE]], [{{.*}}] : <[upto 16], f32> -> <[upto 8, upto 16], f32>
// CHECK:                 %[[R:.*]] = pl.mul %[[ACC]], %[[W]]
// CHECK:                 %[[ROW:.*]] = arith.addi %[[BLOCK]], %[[I]]
// CHECK:                 %[[CS:.*]] = pl.slice %[[C]][%[[ROW]], %[[J]]]
// CHECK:                 pl.store %[[R]], %[[CS]]
func.func @block_of_rows(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %v: !pl.tensor<[?], f16>, %c: !pl.tensor<[?, ?], f32>) {
  pl.matmul_into %a, %b into %c with %v : !pl.tensor<[?], f16> epilogue {
  ^bb0(%acc: f32, %x: f16):
    %w = pl.cast %x round : f16 -> f32
    %r = pl.mul %acc, %w : f32, f32
    pl.epilogue_yield %r : f32
  } {transpose_rhs} : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  return
}

// Nothing else reads the first one: its rows are computed in the blocks of the
// second one.

// CHECK-LABEL: @same_blocks
// CHECK-NOT:     pl.matmul_into
// CHECK:         pl.parallel
// CHECK:           pl.matmul_into %{{.*}}, %arg1 into
// CHECK:           pl.matmul_into %{{.*}}, %arg2 into
// CHECK:           pl.parallel
// CHECK-NOT:     pl.matmul_into
func.func @same_blocks(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %u: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>, %M: index, %N: index) {
  %h = pl.create_tensor[%M, %N] : <[?, ?], f32>
  pl.matmul_into %a, %u into %h : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.matmul_into %a, %b into %c with %h : !pl.tensor<[?, ?], f32> epilogue {
  ^bb0(%acc: f32, %x: f32):
    %r = pl.mul %acc, %x : f32, f32
    pl.epilogue_yield %r : f32
  } : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  return
}

// What the first one multiplies is written before the second one is computed,
// or by it.

// CHECK-LABEL: @keep_written
// CHECK:         pl.matmul_into %arg0, %arg2 into
// CHECK:         pl.store
// CHECK:         pl.parallel
// CHECK:           pl.matmul_into
func.func @keep_written(%a: !pl.tensor<[8, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %u: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[8, 8], f32>, %t: !pl.tile<[8, 8], f32>) {
  %c8 = arith.constant 8 : index
  %h = pl.create_tensor[%c8, %c8] : <[8, 8], f32>
  pl.matmul_into %a, %u into %h : !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  pl.store %t, %u : <[8, 8], f32>, <[8, 8], f32>
  pl.matmul_into %a, %b into %c with %h : !pl.tensor<[8, 8], f32> epilogue {
  ^bb0(%acc: f32, %x: f32):
    %r = pl.mul %acc, %x : f32, f32
    pl.epilogue_yield %r : f32
  } : !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}

// CHECK-LABEL: @keep_target_that_is_multiplied
// CHECK:         pl.matmul_into %arg1, %arg1 into
// CHECK:         pl.parallel
// CHECK:           pl.matmul_into
func.func @keep_target_that_is_multiplied(%a: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[8, 8], f32>) {
  %c8 = arith.constant 8 : index
  %h = pl.create_tensor[%c8, %c8] : <[8, 8], f32>
  pl.matmul_into %c, %c into %h : !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  pl.matmul_into %a, %a into %c with %h : !pl.tensor<[8, 8], f32> epilogue {
  ^bb0(%acc: f32, %x: f32):
    %r = pl.mul %acc, %x : f32, f32
    pl.epilogue_yield %r : f32
  } : !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  return
}

// An author's loop around it is distributed already.

// CHECK-LABEL: @in_order
// CHECK:         pl.parallel
// CHECK:           pl.store
// CHECK-NOT:       pl.parallel
// CHECK:           scf.for
// CHECK:             pl.matmul_into
// CHECK:             scf.for
func.func @in_order(%a: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 8, 8], f32>, %d: !pl.tensor<[8, 8], f32>, %n: index, %t: !pl.tile<[8, 8], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %n step %c1 {
    %w = pl.slice %c[%i, %c0, %c0] [%c1, %c8, %c8] drop [0] : !pl.tensor<[?, 8, 8], f32> -> !pl.tensor<[8, 8], f32>
    pl.at core_group {
      pl.store %t, %d : <[8, 8], f32>, <[8, 8], f32>
    }
    pl.matmul_into %a, %a into %w epilogue {
    ^bb0(%acc: f32):
      %r = pl.neg %acc : f32
      pl.epilogue_yield %r : f32
    } : !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[8, 8], f32>
  }
  return
}
