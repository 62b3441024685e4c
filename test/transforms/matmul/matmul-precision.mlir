// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a product may round is the author's to say: passes neither add nor drop it.
// RUN: tegula-opt %s --tegula-expand-batches | FileCheck %s --check-prefix=BATCHES
// RUN: tegula-opt %s --cse | FileCheck %s --check-prefix=EQUAL
// RUN: tegula-opt %s --tegula-expand-batches --tegula-tile-tensor-ops="rows=4 columns=8 elements=16 matmul-rows=64 matmul-columns=128 depth=256 largest=4096" | FileCheck %s --check-prefix=TILES

// BATCHES-LABEL: @batches
// BATCHES:         pl.parallel
// BATCHES:           pl.matmul {{.*}} precision tf32 : {{.*}}<[8, 16], f32>, {{.*}}<[16, 4], f32>
func.func @batches(%a: !pl.tensor<[?, 8, 16], f32>, %b: !pl.tensor<[16, 4], f32>, %y: !pl.tensor<[?, 8, 4], f32>) {
  %n = pl.bind "N" %a[0], %y[0] : !pl.tensor<[?, 8, 16], f32>, !pl.tensor<[?, 8, 4], f32>
  %s = pl.load %a : !pl.tensor<[?, 8, 16], f32>
  %t = pl.load %b : !pl.tensor<[16, 4], f32>
  %r = pl.matmul %s, %t precision tf32 : !pl.tile<[?, 8, 16], f32>, !pl.tile<[16, 4], f32>
  pl.store %r, %y : !pl.tile<[?, 8, 4], f32>, !pl.tensor<[?, 8, 4], f32>
  return
}

// Products of one precision are one; of two they are not.

// EQUAL-LABEL: @equal
// EQUAL:         %[[ROUNDED:.*]] = pl.matmul {{.*}} precision tf32
// EQUAL-NOT:     precision
// EQUAL:         %[[EXACT:.*]] = pl.matmul
// EQUAL-NOT:     pl.matmul
// EQUAL:         return %[[ROUNDED]], %[[ROUNDED]], %[[EXACT]]
func.func @equal(%a: !pl.tile<[8, 8], f32>) -> (!pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>) {
  %0 = pl.matmul %a, %a precision tf32 : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  %1 = pl.matmul %a, %a precision tf32 : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  %2 = pl.matmul %a, %a : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  return %0, %1, %2 : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
}

// TILES-LABEL: @tiles
// TILES:         scf.for
// TILES:           pl.matmul {{.*}} acc {{.*}} precision tf32
// TILES-NOT:     pl.matmul
func.func @tiles(%a: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[?, ?], f32>, %c: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %k = pl.bind "K" %a[1], %b[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %b[1], %c[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %s = pl.load %a : !pl.tensor<[?, ?], f32>
  %t = pl.load %b : !pl.tensor<[?, ?], f32>
  %r = pl.matmul %s, %t precision tf32 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %r, %c : !pl.tile<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  return
}
