// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-vectorize --canonicalize --split-input-file | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// How far rows lie apart is known at the call: pointers go from row to row. A
// row that is the same in each iteration has none.
// CHECK-LABEL: func.func @pointers_go_along
// CHECK-SAME:    %{{.*}}: memref<?x?xf32, strided<[?, 1]>>, %[[G:.*]]: memref<?xf32>,
// CHECK:         %[[BYTES:.*]] = arith.muli %{{.*}}#0, %c4
// CHECK:         %[[STEP:.*]] = arith.select %{{.*}}, %[[BYTES]], %c0
// CHECK:         %[[NEXT:.*]] = arith.index_cast %[[STEP]]
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}) -> (!llvm.ptr, !llvm.ptr)
// CHECK:           llvm.getelementptr %[[X]][%[[NEXT]]]
// CHECK:           %[[ROW:.*]] = memref.reinterpret_cast
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             vector.load %[[ROW]][%[[J]]]
// CHECK:             vector.load %[[G]][%[[J]]]
func.func @pointers_go_along(%x: memref<?x?xf32, strided<[?, 1]>>, %g: memref<?xf32>, %y: memref<?x?xf32, strided<[?, 1]>>) {
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g : memref<?x?xf32, strided<[?, 1]>>, memref<?xf32>) outs(%y : memref<?x?xf32, strided<[?, 1]>>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %e = arith.divf %a, %b : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// So it is where rows are summed up.
// CHECK-LABEL: func.func @sums_of_rows
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (!llvm.ptr)
func.func @sums_of_rows(%x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// A number is part of an instruction.
// CHECK-LABEL: func.func @known_distance
// CHECK-NOT:     !llvm.ptr
// CHECK:         return
func.func @known_distance(%x: memref<?x64xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x64xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#ji = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// Rows that are combined with each other are not traversed one by one.
// CHECK-LABEL: func.func @combined_rows
// CHECK-NOT:     iter_args({{.*}}!llvm.ptr
// CHECK:         return
func.func @combined_rows(%x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#ji, #j], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// Of what is out of cache the rows of the next iteration are prefetched, at a distance of as many bytes as this one
// has, unless no cache would hold them.
// CHECK-LABEL: func.func @next_rows
// CHECK-SAME:    %[[FAR:[a-z0-9]*]]: i1
// CHECK:         %[[BYTES:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK:         %[[HELD:.*]] = arith.cmpi ule, %[[BYTES]], %c262144_i64
// CHECK:         %[[PAYS:.*]] = arith.andi %{{.*}}, %[[FAR]]
// CHECK:         %[[AHEAD:.*]] = arith.select %[[PAYS]], %[[BYTES]], %c0_i64
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (!llvm.ptr)
// CHECK:           %[[NEXT:.*]] = llvm.getelementptr %[[X]][%[[AHEAD]]]
// CHECK:           scf.for
// CHECK:             %[[PLACE:.*]] = llvm.getelementptr %[[NEXT]]
// CHECK:             "llvm.intr.prefetch"(%[[PLACE]])
// CHECK:             vector.load
// CHECK-NOT:     prefetch
func.func @next_rows(%x: memref<?x?xf32, strided<[?, 1]>>, %m: memref<?xf32>, %y: memref<?x4096xf32>, %isOutOfCache: i1) {
  %streamed = cpu.uncached %x if %isOutOfCache : memref<?x?xf32, strided<[?, 1]>>
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%streamed, %m : memref<?x?xf32, strided<[?, 1]>>, memref<?xf32>) outs(%y : memref<?x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  return
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// Where one tensor is out of cache, what is read with it is as well.
// CHECK-LABEL: func.func @next_rows_of_two
// CHECK-SAME:    %[[LEFT:[a-z0-9]*]]: i1, %[[RIGHT:[a-z0-9]*]]: i1
// CHECK:         %[[FAR:.*]] = arith.ori %[[LEFT]], %[[RIGHT]]
// CHECK-COUNT-2: arith.andi %{{.*}}, %[[FAR]]
// CHECK-COUNT-2: "llvm.intr.prefetch"
func.func @next_rows_of_two(%x: memref<?x?xf32, strided<[?, 1]>>, %z: memref<?x?xf32, strided<[?, 1]>>, %m: memref<?xf32>, %y: memref<?x4096xf32>, %isLeft: i1, %isRight: i1) {
  %left = cpu.uncached %x if %isLeft : memref<?x?xf32, strided<[?, 1]>>
  %right = cpu.uncached %z if %isRight : memref<?x?xf32, strided<[?, 1]>>
  linalg.generic {indexing_maps = [#ij, #ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%left, %right, %m : memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32, strided<[?, 1]>>, memref<?xf32>) outs(%y : memref<?x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %c: f32):
    %t = arith.subf %a, %s : f32
    %d = math.exp %t : f32
    %e = arith.addf %d, %b : f32
    linalg.yield %e : f32
  }
  return
}
