// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-vectorize --canonicalize --split-input-file | FileCheck %s
// RUN: tegula-opt %s --tegula-cpu-vectorize=vector-bits=256 --canonicalize --split-input-file | FileCheck %s --check-prefix=SHORT

// The lanes that are left are bits where masks have registers, and are compared where they have none.
// CHECK-LABEL: func.func @bits
// CHECK:         %[[LEFT:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:         %[[END:.*]] = arith.shli %c1_i64, %[[LEFT]] : i64
// CHECK:         %[[ALL:.*]] = arith.subi %[[END]], %c1_i64 : i64
// CHECK:         %[[BITS:.*]] = arith.trunci %[[ALL]] : i64 to i32
// CHECK:         llvm.bitcast %[[BITS]] : i32 to vector<32xi1>
// CHECK-NOT:     vector.create_mask
// SHORT-LABEL: func.func @bits
// SHORT-NOT:     llvm.bitcast
// SHORT:         vector.create_mask %{{.*}} : vector<16xi1>
func.func @bits(%x: memref<?xi16>, %y: memref<?xi16>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xi16>) outs(%y : memref<?xi16>) {
  ^bb0(%a: i16, %b: i16):
    %n = arith.muli %a, %a : i16
    linalg.yield %n : i16
  }
  return
}

// -----

// As many as there are bits.
// CHECK-LABEL: func.func @all_bits
// CHECK:         %[[BITS:.*]] = arith.subi %{{.*}}, %c1_i64 : i64
// CHECK-NOT:     arith.trunci
// CHECK:         llvm.bitcast %[[BITS]] : i64 to vector<64xi1>
func.func @all_bits(%x: memref<?xi8>, %y: memref<?xi8>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xi8>) outs(%y : memref<?xi8>) {
  ^bb0(%a: i8, %b: i8):
    %n = arith.muli %a, %a : i8
    linalg.yield %n : i8
  }
  return
}

// -----

// What is known to be left is a constant.
// CHECK-LABEL: func.func @known
// CHECK-NOT:     llvm.bitcast
// CHECK:         vector.constant_mask [3] : vector<16xi1>
func.func @known(%x: memref<19xf32>, %y: memref<19xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<19xf32>) outs(%y : memref<19xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = math.exp %a : f32
    linalg.yield %n : f32
  }
  return
}
