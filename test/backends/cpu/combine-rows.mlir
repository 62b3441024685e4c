// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-vectorize --canonicalize --split-input-file | FileCheck %s

// Long rows that are combined with each other go four at a time from end to end. What is left of them, and all of short
// ones, goes column by column, four vectors of them at once and then one.
// CHECK-LABEL: func.func @combine_rows
// CHECK-SAME:    %[[X:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<?xf32>
// CHECK-DAG:     %[[ROWS:.*]] = memref.dim %[[X]], %c0
// CHECK-DAG:     %[[COLUMNS:.*]] = memref.dim %[[X]], %c1
// CHECK:         %[[LONG:.*]] = arith.cmpi sge, %[[COLUMNS]], %c256
// CHECK:         %[[REST:.*]] = arith.select %[[LONG]], %{{.*}}, %c0
// CHECK-NOT:     memref.prefetch
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[REST]] step %c4 {
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             vector.load %[[Y]][%[[J]]]
// CHECK:             vector.load %[[X]][%[[I]], %[[J]]]
// CHECK-COUNT-3:     vector.load %[[X]][%{{.*}}, %[[J]]]
// CHECK:             vector.store %{{.*}}, %[[Y]][%[[J]]]
// CHECK:         %[[ANY:.*]] = arith.cmpi slt, %[[REST]], %[[ROWS]]
// CHECK:         scf.if %[[ANY]] {
// CHECK:           scf.for %{{.*}} step %c64
// CHECK-COUNT-4:     vector.load %[[Y]]
// CHECK:             scf.for %{{.*}} = %[[REST]] to %[[ROWS]] step %c1 iter_args
// CHECK-COUNT-4:     vector.store %{{.*}}, %[[Y]]
// CHECK:           scf.for %[[J:.*]] = %{{.*}} step %c16
// CHECK:             %[[BEFORE:.*]] = vector.load %[[Y]][%[[J]]]
// CHECK:             %[[SUM:.*]] = scf.for %[[I:.*]] = %[[REST]] to %[[ROWS]] {{.*}} iter_args(%{{.*}} = %[[BEFORE]])
// CHECK:               vector.load %[[X]][%[[I]], %[[J]]]
// CHECK:             vector.store %[[SUM]], %[[Y]][%[[J]]]
func.func @combine_rows(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %b, %a : f32
    linalg.yield %sum : f32
  }
  return
}

// -----

// What is out of cache is prefetched by four rows; the other loop is for what is not.
// CHECK-LABEL: func.func @out_of_cache
// CHECK-SAME:    %[[X:.*]]: memref<?x512xf32>, %[[Y:.*]]: memref<512xf32>, %[[FAR:.*]]: i1
// CHECK-NOT:     cpu.uncached
// CHECK:         scf.if %[[FAR]] {
// CHECK:           scf.for %[[I:.*]] = %c0 to %{{.*}} step %c4 {
// CHECK:             scf.for %[[J:.*]] = %c0 to %c512 step %c16
// CHECK:               %[[NEXT:.*]] = arith.addi %[[I]], %c4
// CHECK:               memref.prefetch %[[X]][%[[NEXT]], %[[J]]], read, locality<2>, data
// CHECK-COUNT-3:       memref.prefetch %[[X]]
// CHECK-COUNT-4:       arith.addf
// CHECK:         } else {
// CHECK-NOT:       memref.prefetch
// CHECK-COUNT-4:       arith.addf
func.func @out_of_cache(%x: memref<?x512xf32>, %y: memref<512xf32>, %isOutOfCache: i1) {
  %streamed = cpu.uncached %x if %isOutOfCache : memref<?x512xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%streamed : memref<?x512xf32>) outs(%y : memref<512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %b, %a : f32
    linalg.yield %sum : f32
  }
  return
}

// -----

// What takes long is written out once, and hides by itself that one waits for the other.
// CHECK-LABEL: func.func @slow
// CHECK-COUNT-1: math.exp {{.*}} vector<16xf32>
// CHECK-NOT:     step %c64
func.func @slow(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    %sum = arith.addf %b, %e : f32
    linalg.yield %sum : f32
  }
  return
}

// -----

// Few rows are combined at once.
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT:     step %c4 {
// CHECK:         scf.for %{{.*}} = %c0 to %c3 step %c1
func.func @few_rows(%x: memref<3x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<3x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.maximumf %b, %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// A magnitude is one instruction.
// CHECK-LABEL: func.func @magnitudes
// CHECK:         step %c4 {
// CHECK-COUNT-4:   math.absf {{.*}} vector<16xf32>
func.func @magnitudes(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = math.absf %a : f32
    %m = arith.maximumf %b, %n : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// A quotient is many, though it is one op.
// CHECK-LABEL: func.func @quotients
// CHECK-NOT:     step %c64
func.func @quotients(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.divf %a, %a : f32
    %s = arith.addf %b, %q : f32
    linalg.yield %s : f32
  }
  return
}
