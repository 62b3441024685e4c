// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-vectorize --canonicalize --split-input-file | FileCheck %s

// Rows that lie one after the other are one row: 132 elements are 8 vectors and a rest of 4.
// CHECK-LABEL: func.func @one_row
// CHECK-NOT:     step %c1{{$}}
// CHECK:         scf.for {{.*}} = %c0 to %c128 step %c16
// CHECK:         vector.maskedstore
func.func @one_row(%x: memref<4x33xf32>, %y: memref<4x33xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x33xf32>) outs(%y : memref<4x33xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// Where that is not known, the same loops do both.
// CHECK-LABEL: func.func @asked
// CHECK:         %[[FLAT:.*]] = arith.cmpi eq, %{{.*}}, %c33
// CHECK:         %[[ROWS:.*]] = arith.select %[[FLAT]], %c1, %c4
// CHECK:         %[[COLUMNS:.*]] = arith.select %[[FLAT]], %c132, %c33
// CHECK:         scf.for {{.*}} = %c0 to %[[ROWS]]
func.func @asked(%x: memref<4x33xf32, strided<[?, 1]>>, %y: memref<4x33xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x33xf32, strided<[?, 1]>>) outs(%y : memref<4x33xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// Rows with room between them stay rows.
// CHECK-LABEL: func.func @keep_rows
// CHECK:         scf.for {{.*}} = %c0 to %c4 step %c1
func.func @keep_rows(%x: memref<4x33xf32, strided<[40, 1]>>, %y: memref<4x33xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x33xf32, strided<[40, 1]>>) outs(%y : memref<4x33xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// One number per row, and numbers that count columns, need to know the row.
// CHECK-LABEL: func.func @keep_indices
// CHECK:         scf.for {{.*}} = %c0 to %c4 step %c1
func.func @keep_indices(%s: memref<4xf32>, %y: memref<4x33xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<4xf32>) outs(%y : memref<4x33xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @keep_counting
// CHECK:         scf.for {{.*}} = %c0 to %c4 step %c1
func.func @keep_counting(%y: memref<4x33xi64>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<4x33xi64>) {
  ^bb0(%b: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    linalg.yield %n : i64
  }
  return
}

// -----

// A product that is added may be fused with the sum; which zero is largest, and in which order lanes are added, is
// free. A maximum is the processor's, and NaN is noted next to it, two vectors at once. A sum of what takes long needs
// no partial sums.
// CHECK-LABEL: func.func @relaxed
// CHECK:         arith.mulf %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK:         arith.addf %{{.*}} fastmath<contract> : vector<16xf32>
// CHECK:         vector.reduction <add>, %{{.*}} fastmath<reassoc,nsz>
// CHECK:         scf.for {{.*}} step %c64
// CHECK-COUNT-4:   arith.cmpf ogt
// CHECK-COUNT-2:   arith.cmpf uno
// CHECK-NOT:       arith.cmpf uno
// CHECK:         scf.for {{.*}} step %c16
// CHECK:         %[[LARGEST:.*]] = vector.reduction <maximumf>, %{{.*}} fastmath<reassoc,nnan,nsz>
// CHECK:         %[[SEEN:.*]] = vector.reduction <or>
// CHECK:         arith.select %[[SEEN]], %{{.*}}, %[[LARGEST]]
// CHECK:         scf.for {{.*}} step %c16 iter_args(%{{[a-z0-9]*}} = %{{[a-z0-9_]*}}) -> (vector<16xf32>)
// CHECK:           math.exp
func.func @relaxed(%x: memref<?xf32>, %s: memref<f32>, %m: memref<f32>, %e: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    %n = arith.addf %b, %p : f32
    linalg.yield %n : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%m : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.maximumf %b, %a : f32
    linalg.yield %n : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%e : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %p = math.exp %a : f32
    %n = arith.addf %b, %p : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// Where little is computed of an element, long rows go by half vectors.
// CHECK-LABEL: func.func @light
// CHECK:         scf.for {{.*}} step %c8
// CHECK:           vector.load {{.*}} vector<8xf32>
func.func @light(%x: memref<?x?xf32>, %y: memref<?x?xf32, strided<[?, ?]>>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32, strided<[?, ?]>>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %a, %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// What takes longer goes by whole ones.
// CHECK-LABEL: func.func @heavy
// CHECK-NOT:     vector<8xf32>
func.func @heavy(%x: memref<?x?xf32>, %y: memref<?x?xf32, strided<[?, ?]>>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32, strided<[?, ?]>>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.divf %a, %a : f32
    linalg.yield %n : f32
  }
  return
}
