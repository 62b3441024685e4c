// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --canonicalize --cse --split-input-file | FileCheck %s

// A tree of elementwise ops read once is one loop nest, with loads in place.
// CHECK-LABEL: func.func @fuse(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : memref<8x64xf32, {{.*}}>, memref<8x64xf32, {{.*}}>) outs(%{{.*}} : memref<8x64xf32, {{.*}}>)
// CHECK:           %[[SUM:.*]] = arith.addf
// CHECK:           math.exp %[[SUM]]
// CHECK-NOT:     linalg.generic
func.func @fuse(%x: !pl.tensor<[8, 64], f32>, %y: !pl.tensor<[8, 64], f32>, %z: !pl.tensor<[8, 64], f32>) {
  %a = pl.load %x : !pl.tensor<[8, 64], f32>
  %b = pl.load %y : !pl.tensor<[8, 64], f32>
  %c = pl.add %a, %b : !pl.tile<[8, 64], f32>, !pl.tile<[8, 64], f32>
  %d = pl.exp %c : !pl.tile<[8, 64], f32>
  pl.store %d, %z : !pl.tile<[8, 64], f32>, !pl.tensor<[8, 64], f32>
  return
}

// -----

// What two ops read is computed once, into scratch memory.
// CHECK-LABEL: func.func @compute_once
// CHECK:         llvm.call @tegulaScratchPush
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:         linalg.generic
// CHECK:           arith.negf
// CHECK:         linalg.generic
// CHECK:           linalg.yield %in
// CHECK-NOT:     math.exp
// CHECK:         llvm.call @tegulaScratchPop
func.func @compute_once(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %z: !pl.tensor<[64], f32>) {
  %a = pl.load %x : !pl.tensor<[64], f32>
  %e = pl.exp %a : !pl.tile<[64], f32>
  %n = pl.neg %e : !pl.tile<[64], f32>
  pl.store %n, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  pl.store %e, %z : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// A column read along its rows needs no copy: its axis of 1 is left out.
// CHECK-DAG:   #[[$ROWS:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG:   #[[$ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @broadcast_rows
// CHECK:         linalg.generic {indexing_maps = [#[[$ALL]], #[[$ROWS]], #[[$ALL]]]
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : memref<8x64xf32, {{.*}}>, memref<8xf32, {{.*}}>)
func.func @broadcast_rows(%x: !pl.tensor<[8, 64], f32>, %c: !pl.tensor<[8, 1], f32>, %z: !pl.tensor<[8, 64], f32>) {
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = pl.load %x : !pl.tensor<[8, 64], f32>
  %b = pl.load %c : !pl.tensor<[8, 1], f32>
  %w = pl.broadcast %b, [%c8, %c64] : !pl.tile<[8, 1], f32> -> !pl.tile<[8, 64], f32>
  %r = pl.mul %a, %w : !pl.tile<[8, 64], f32>, !pl.tile<[8, 64], f32>
  pl.store %r, %z : !pl.tile<[8, 64], f32>, !pl.tensor<[8, 64], f32>
  return
}

// -----

// Booleans are bytes in memory.
// CHECK-LABEL: func.func @booleans
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : memref<64xi8, {{.*}}>)
// CHECK:           %[[LESS:.*]] = arith.cmpi ult
// CHECK:           %[[BYTE:.*]] = arith.extui %[[LESS]] : i1 to i8
// CHECK:           linalg.yield %[[BYTE]]
func.func @booleans(%x: !pl.tensor<[64], ui16>, %y: !pl.tensor<[64], ui16>, %z: !pl.tensor<[64], i1>) {
  %a = pl.load %x : !pl.tensor<[64], ui16>
  %b = pl.load %y : !pl.tensor<[64], ui16>
  %c = pl.cmp lt %a, %b : !pl.tile<[64], ui16>, !pl.tile<[64], ui16>
  pl.store %c, %z : !pl.tile<[64], i1>, !pl.tensor<[64], i1>
  return
}
