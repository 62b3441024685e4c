// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-tile-tensor-ops{rows=16 columns=64 elements=64 matmul-rows=8 matmul-columns=16 depth=32 largest=4096 whole-matmuls}, tegula-resolve-extents, tegula-simplify))' | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-SAME:    %[[A:[a-z0-9]+]]: !pl.tensor<[?, ?], f32>, %[[B:[a-z0-9]+]]: !pl.tensor<[?, ?], f32>, %[[C:[a-z0-9]+]]: !pl.tensor<[?, ?], f32>
// CHECK-NOT:     scf.for
// CHECK:         pl.matmul_into %[[A]], %[[B]] into %[[C]] {transpose_rhs} :
// CHECK-NEXT:    return
func.func @plain(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[0], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %at = pl.load %a : <[?, ?], f32>
  %bt = pl.load %b : <[?, ?], f32>
  %p = pl.matmul %at, %bt {transpose_rhs} : <[?, ?], f32>, <[?, ?], f32>
  pl.store %p, %c : <[?, ?], f32>, <[?, ?], f32>
  return
}

// No extent is known to be another: what is multiplied and stored is what all
// have.

// CHECK-LABEL: @unequal
// CHECK:         %[[ROWS:.*]] = pl.slice %arg2[
// CHECK:         %[[TARGET:.*]] = pl.slice %[[ROWS]][
// CHECK:         pl.slice %arg0[
// CHECK:         pl.slice %arg1[
// CHECK:         pl.matmul_into %{{[0-9]+}}, %{{[0-9]+}} into %[[TARGET]] :
// CHECK-NEXT:    return
func.func @unequal(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %at = pl.load %a : <[?, ?], f32>
  %bt = pl.load %b : <[?, ?], f32>
  %p = pl.matmul %at, %bt : <[?, ?], f32>, <[?, ?], f32>
  pl.store %p, %c : <[?, ?], f32>, <[?, ?], f32>
  return
}

// The accumulator, a bias, and the target itself.

// CHECK-LABEL: @epilogue
// CHECK-SAME:    %[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[V:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: {{.*}}) {
// CHECK:         pl.matmul_into %[[A]], %[[B]] into %[[C]] with %[[C]], %[[V]] : {{.*}} epilogue {
// CHECK-NEXT:    ^bb0(%[[ACC:.*]]: f32, %[[OLD:.*]]: f32, %[[X:.*]]: f32):
// CHECK-NEXT:      %[[SUM:.*]] = pl.add %[[ACC]], %[[OLD]] : f32, f32
// CHECK-NEXT:      %[[R:.*]] = pl.mul %[[SUM]], %[[X]] : f32, f32
// CHECK-NEXT:      pl.epilogue_yield %[[R]] : f32
// CHECK-NEXT:    } : <[?, 8], f16>, <[8, ?], f16>, <[?, ?], f32>
// CHECK-NEXT:    return
func.func @epilogue(%a: !pl.tensor<[?, 8], f16>, %b: !pl.tensor<[8, ?], f16>, %v: !pl.tensor<[?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f16>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %v[0], %c[1] : !pl.tensor<[8, ?], f16>, !pl.tensor<[?], f32>, !pl.tensor<[?, ?], f32>
  %at = pl.load %a : <[?, 8], f16>
  %bt = pl.load %b : <[8, ?], f16>
  %old = pl.load %c : <[?, ?], f32>
  %p = pl.matmul %at, %bt acc %old : <[?, 8], f16>, <[8, ?], f16>, !pl.tile<[?, ?], f32>
  %vt = pl.load %v : <[?], f32>
  %w = pl.broadcast %vt, [%M, %N] : <[?], f32> -> <[?, ?], f32>
  %r = pl.mul %p, %w : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %r, %c : <[?, ?], f32>, <[?, ?], f32>
  return
}

// The second one is an operand of the first one's epilogue.

// CHECK-LABEL: @two
// CHECK:         %[[H:.*]] = pl.create_tensor
// CHECK:         pl.matmul_into %arg0, %arg2 into %[[H]] :
// CHECK:         pl.matmul_into %arg0, %arg1 into %arg3 with %[[H]] :
// CHECK-NOT:     pl.matmul
// CHECK:         return
func.func @two(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %u: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 8], f32>) {
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  %at = pl.load %a : <[?, 8], f32>
  %bt = pl.load %b : <[8, 8], f32>
  %ut = pl.load %u : <[8, 8], f32>
  %p = pl.matmul %at, %bt : <[?, 8], f32>, <[8, 8], f32>
  %q = pl.matmul %at, %ut : <[?, 8], f32>, <[8, 8], f32>
  %r = pl.mul %p, %q : !pl.tile<[?, 8], f32>, !pl.tile<[?, 8], f32>
  pl.store %r, %c : <[?, 8], f32>, <[?, 8], f32>
  return
}

// What two stores need is multiplied once.

// CHECK-LABEL: @shared
// CHECK:         %[[H:.*]] = pl.create_tensor
// CHECK:         pl.matmul_into %arg0, %arg1 into %[[H]] :
// CHECK-NOT:     pl.matmul
// CHECK:         return
func.func @shared(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 8], f32>, %d: !pl.tensor<[?, 8], f32>) {
  %M = pl.bind "M" %a[0], %c[0], %d[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  %at = pl.load %a : <[?, 8], f32>
  %bt = pl.load %b : <[8, 8], f32>
  %p = pl.matmul %at, %bt : <[?, 8], f32>, <[8, 8], f32>
  %q = pl.abs %p : !pl.tile<[?, 8], f32>
  pl.store %q, %c : <[?, 8], f32>, <[?, 8], f32>
  %r = pl.neg %q : !pl.tile<[?, 8], f32>
  pl.store %r, %d : <[?, 8], f32>, <[?, 8], f32>
  return
}

// The target is an operand: it is written when all of it is read.

// CHECK-LABEL: @in_place
// CHECK:         %[[H:.*]] = pl.create_tensor
// CHECK:         pl.matmul_into %arg0, %arg1 into %[[H]] :
// CHECK-NOT:     pl.matmul
// CHECK:         pl.store %{{.*}}, %{{.*}} :
func.func @in_place(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>) {
  %M = pl.bind "M" %a[0] : !pl.tensor<[?, 8], f32>
  %at = pl.load %a : <[?, 8], f32>
  %bt = pl.load %b : <[8, 8], f32>
  %p = pl.matmul %at, %bt : <[?, 8], f32>, <[8, 8], f32>
  pl.store %p, %a : <[?, 8], f32>, <[?, 8], f32>
  return
}

// Tiles of an author's loop, which are raised together.

// CHECK-LABEL: @keep_tiles
// CHECK-NOT:     pl.matmul_into
func.func @keep_tiles(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %K = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  scf.for %i = %c0 to %M step %c64 {
    %as = pl.slice %a[%i, %c0] [%c64, %K] : <[?, ?], f32> -> <[upto 64, ?], f32>
    %at = pl.load %as : <[upto 64, ?], f32>
    %bt = pl.load %b : <[?, ?], f32>
    %p = pl.matmul %at, %bt : <[upto 64, ?], f32>, <[?, ?], f32>
    %cs = pl.slice %c[%i, %c0] [%c64, %N] : <[?, ?], f32> -> <[upto 64, ?], f32>
    pl.store %p, %cs : <[upto 64, ?], f32>, <[upto 64, ?], f32>
  }
  return
}

// There is no code for such elements.

// CHECK-LABEL: @keep_unsupported
// CHECK-NOT:     pl.matmul_into
func.func @keep_unsupported(%a: !pl.tensor<[?, 8], i16>, %b: !pl.tensor<[8, 8], i16>, %d: !pl.tensor<[?, 8], f32>) {
  %M = pl.bind "M" %a[0], %d[0] : !pl.tensor<[?, 8], i16>, !pl.tensor<[?, 8], f32>
  %at = pl.load %a : <[?, 8], i16>
  %aw = pl.cast %at none : !pl.tile<[?, 8], i16> -> !pl.tile<[?, 8], f32>
  %bt = pl.load %b : <[8, 8], i16>
  %bw = pl.cast %bt none : !pl.tile<[8, 8], i16> -> !pl.tile<[8, 8], f32>
  %p = pl.matmul %aw, %bw : <[?, 8], f32>, <[8, 8], f32>
  pl.store %p, %d : <[?, 8], f32>, <[?, 8], f32>
  return
}
