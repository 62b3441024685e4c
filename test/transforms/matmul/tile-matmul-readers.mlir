// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-tile-matmul-readers))' | FileCheck %s

// The epilogue and its operands go with the block; the bias has no rows.

// CHECK-LABEL: @rows
// CHECK-SAME:    %[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[V:[a-z0-9]+]]: {{.*}}, %[[X:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: {{.*}}) {
// CHECK-NOT:     pl.matmul_into
// CHECK:         pl.parallel %[[BLOCK:.*]] = %{{.*}} to %[[M:.*]] step %[[ROWS:.*]] independent {
// CHECK:           %[[COUNT:.*]] = arith.subi %{{.*}}, %[[BLOCK]]
// CHECK:           %[[S:.*]] = pl.create_tensor[%[[COUNT]], %{{.*}}] : <[?, ?], f32>
// CHECK:           %[[AS:.*]] = pl.slice %[[A]][%[[BLOCK]], %{{.*}}] [%[[COUNT]],
// CHECK:           %[[XS:.*]] = pl.slice %[[X]][%[[BLOCK]], %{{.*}}] [%[[COUNT]],
// CHECK:           pl.matmul_into %[[AS]], %[[B]] into %[[S]] with %[[V]], %[[XS]] : {{.*}} epilogue {
// CHECK:           pl.parallel %[[I:.*]] = %[[BLOCK]] to %{{.*}} step %{{.*}} independent {
// CHECK:             pl.slice %[[C]][%[[I]],
// CHECK:             scf.for %[[J:.*]] = %[[I]] to
// CHECK:               %[[ROW:.*]] = arith.subi %[[J]], %[[BLOCK]]
// CHECK:               pl.slice %[[S]][%[[ROW]], %{{.*}}] {{.*}} -> <[upto 16, ?], f32>
func.func @rows(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, ?], f32>, %v: !pl.tensor<[?], f32>, %x: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, 1], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %M = pl.bind "M" %a[0], %x[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], f32>
  %N = pl.bind "N" %b[1], %v[0], %x[1] : !pl.tensor<[8, ?], f32>, !pl.tensor<[?], f32>, !pl.tensor<[?, ?], f32>
  %s = pl.create_tensor[%M, %N] : <[?, ?], f32>
  pl.matmul_into %a, %b into %s with %v, %x : !pl.tensor<[?], f32>, !pl.tensor<[?, ?], f32> epilogue {
  ^bb0(%acc: f32, %bias: f32, %old: f32):
    %0 = pl.add %acc, %bias : f32, f32
    %1 = pl.add %0, %old : f32, f32
    pl.epilogue_yield %1 : f32
  } : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, ?], f32>, !pl.tensor<[?, ?], f32>
  pl.parallel %i = %c0 to %M step %c16 independent {
    %end = arith.addi %i, %c16 : index
    %last = arith.minsi %end, %M : index
    %cs = pl.slice %c[%i, %c0] [%c16, %c1] : <[?, 1], f32> -> <[upto 16, 1], f32>
    scf.for %j = %i to %last step %c4 {
      %left = arith.subi %last, %j : index
      %count = arith.minsi %c4, %left : index
      %w = pl.slice %s[%j, %c0] [%count, %N] : <[?, ?], f32> -> <[upto 16, ?], f32>
      %t = pl.load %w : <[upto 16, ?], f32>
      %r = pl.reduce max %t axis 1 : <[upto 16, ?], f32>
      %row = arith.subi %j, %i : index
      %to = pl.slice %cs[%row, %c0] [%count, %c1] : <[upto 16, 1], f32> -> <[upto 16, 1], f32>
      pl.store %r, %to : <[upto 16, 1], f32>, <[upto 16, 1], f32>
    }
  }
  return
}

// A loop in order, inside of a core region; two matmuls are computed together.

// CHECK-LABEL: @in_order
// CHECK:         pl.at core_group {
// CHECK:           scf.for %[[BLOCK:.*]] =
// CHECK:             pl.matmul_into %{{.*}}, %arg1 into %[[S:.*]] :
// CHECK:             pl.matmul_into %{{.*}}, %arg2 into %[[T:.*]] :
// CHECK:             scf.for
// CHECK:               pl.slice %[[S]]
// CHECK:               pl.slice %[[T]]
// CHECK-NOT:     pl.matmul_into
func.func @in_order(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %u: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 8], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  %s = pl.create_tensor[%M, %c8] : <[?, 8], f32>
  pl.matmul_into %a, %b into %s : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[?, 8], f32>
  %q = pl.create_tensor[%M, %c8] : <[?, 8], f32>
  pl.matmul_into %a, %u into %q : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[?, 8], f32>
  pl.at core_group {
    scf.for %i = %c0 to %M step %c8 {
      %w = pl.slice %s[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
      %t = pl.load %w : <[upto 8, 8], f32>
      %z = pl.slice %q[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
      %o = pl.load %z : <[upto 8, 8], f32>
      %r = pl.mul %t, %o : !pl.tile<[upto 8, 8], f32>, !pl.tile<[upto 8, 8], f32>
      %to = pl.slice %c[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
      pl.store %r, %to : <[upto 8, 8], f32>, <[upto 8, 8], f32>
    }
  }
  return
}
