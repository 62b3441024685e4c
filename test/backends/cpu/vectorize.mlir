// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-vectorize --canonicalize --split-input-file | FileCheck %s

// Whole vectors without a mask, the rest once with one.
// CHECK-LABEL: func.func @whole_and_rest
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[WHOLE:.*]] step %c16
// CHECK:           vector.load %{{.*}}[%[[I]]] : memref<?xf32>, vector<16xf32>
// CHECK:           arith.negf %{{.*}} : vector<16xf32>
// CHECK:           vector.store
// CHECK:         scf.if
// CHECK:           %[[MASK:.*]] = llvm.bitcast %{{.*}} : i16 to vector<16xi1>
// CHECK:           vector.maskedload %{{.*}}[%[[WHOLE]]], %[[MASK]]
// CHECK:           vector.maskedstore %{{.*}}[%[[WHOLE]]], %[[MASK]]
func.func @whole_and_rest(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// No rest, no mask.
// CHECK-LABEL: func.func @no_rest
// CHECK-NOT:     mask
// CHECK:         return
func.func @no_rest(%x: memref<4x64xf32>, %y: memref<4x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x64xf32>) outs(%y : memref<4x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// What is the same for the whole row is read and computed once per row.
// CHECK-LABEL: func.func @uniform
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[S:.*]] = memref.load %{{.*}}[%[[I]]] : memref<4xf32>
// CHECK:           scf.for
// CHECK:             %[[N:.*]] = arith.negf %[[S]] : f32
// CHECK:             vector.broadcast %[[N]] : f32 to vector<16xf32>
func.func @uniform(%x: memref<4x64xf32>, %s: memref<4xf32>, %y: memref<4x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<4x64xf32>, memref<4xf32>) outs(%y : memref<4x64xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %n = arith.negf %c : f32
    %m = arith.mulf %a, %n : f32
    linalg.yield %m : f32
  }
  return
}

// -----

// Four vectors of partial sums, then whole ones, then what is left; one horizontal sum per row.
// CHECK-LABEL: func.func @sum_rows
// CHECK:         scf.for {{.*}} step %c64 iter_args(%{{.*}} = %[[NONE:.*]], %{{.*}} = %[[NONE]], %{{.*}} = %[[NONE]], %{{.*}} = %[[NONE]])
// CHECK-COUNT-4:   arith.addf %{{.*}} : vector<16xf32>
// CHECK:         scf.for {{.*}} step %c16
// CHECK-NOT:       mask
// CHECK:         scf.if
// CHECK:         llvm.bitcast %{{.*}} : i16 to vector<16xi1>
// CHECK:         arith.select
// CHECK:         vector.reduction <add>
// CHECK-NOT:     vector.reduction
func.func @sum_rows(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %b, %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// Narrow floats are computed in as many lanes as FP32 has.
// CHECK-LABEL: func.func @narrow
// CHECK:         vector.load %{{.*}} : memref<?xf16>, vector<16xf16>
// CHECK:         arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
func.func @narrow(%x: memref<?xf16>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<?xf16>) {
  ^bb0(%b: f16):
    %c = arith.constant 1.0 : f16
    linalg.yield %c : f16
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf16>) outs(%x : memref<?xf16>) {
  ^bb0(%a: f16, %b: f16):
    %e = arith.extf %a : f16 to f32
    %n = math.sqrt %e : f32
    %t = arith.truncf %n : f32 to f16
    linalg.yield %t : f16
  }
  return
}

// -----

// An operand whose elements lie apart is read by way of a buffer.
// CHECK-LABEL: func.func @strided
// CHECK:         llvm.alloca {{.*}} tegula.stage
// CHECK:         memref.load {{.*}} strided<[2]>
// CHECK:         memref.store
// CHECK:         vector.load
// CHECK:         vector.maskedload
// CHECK:         return
func.func @strided(%x: memref<?xf32, strided<[2]>>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32, strided<[2]>>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// Where elements may lie apart, the stride is asked: all are taken at once if they do not, else a buffer is filled and
// emptied piece by piece.
// CHECK-LABEL: func.func @gaps
// CHECK-COUNT-2: llvm.alloca {{.*}} tegula.stage
// CHECK-DAG:     %[[SOURCE:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK-DAG:     %[[TARGET:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK:         %[[DENSE:.*]] = arith.andi %[[SOURCE]], %[[TARGET]]
// CHECK:         %[[STEP:.*]] = arith.select %[[DENSE]], %{{.*}}, %c1024
// CHECK:         scf.for %[[FROM:.*]] = %c0 to %[[EXTENT:.*]] step %[[STEP]]
// CHECK:           %[[END:.*]] = arith.addi %[[FROM]], %[[STEP]]
// CHECK:           %[[TO:.*]] = arith.minsi %[[END]], %[[EXTENT]]
// CHECK:           %[[USUAL:.*]] = llvm.intr.expect %[[DENSE]], %true
// CHECK-NEXT:      scf.if %[[USUAL]] {
// CHECK:           } else {
// CHECK:             %[[LAST:.*]] = arith.select %[[SOURCE]], %[[FROM]], %[[TO]]
// CHECK:             scf.for %{{.*}} = %[[FROM]] to %[[LAST]]
// CHECK:               memref.load
// CHECK:               memref.store
// CHECK:           tegula.seldom_else
// CHECK:           scf.for %{{.*}} = %[[FROM]] to {{.*}} step %c16
// CHECK:             vector.load
// CHECK:             vector.store
// CHECK:           %[[LATER:.*]] = llvm.intr.expect %[[DENSE]], %true
// CHECK-NEXT:      scf.if %[[LATER]] {
// CHECK:           } else {
// CHECK:             %[[START:.*]] = arith.select %[[TARGET]], %[[TO]], %[[FROM]]
// CHECK:             scf.for %{{.*}} = %[[START]] to %[[TO]]
// CHECK:               memref.load
// CHECK:               memref.store
// CHECK:         tegula.seldom_repeated
func.func @gaps(%x: memref<?xf32, strided<[?]>>, %y: memref<?xf32, strided<[?]>>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32, strided<[?]>>) outs(%y : memref<?xf32, strided<[?]>>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

// What has no gaps if it is there at all needs no buffer; where it is missing nothing is done.
// CHECK-LABEL: func.func @missing
// CHECK-NOT:     tegula.stage
// CHECK:         scf.if %arg2 {
// CHECK:           scf.for {{.*}} step %c16
// CHECK:             vector.load {{.*}} strided<[1]>
// CHECK-NOT:     else
// CHECK:         return
func.func @missing(%x: memref<f32>, %y: memref<?xf32>, %there: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %stride = arith.select %there, %c1, %c0 : index
  %row = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [%stride] : memref<f32> to memref<?xf32, strided<[?]>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%row : memref<?xf32, strided<[?]>>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// Where the condition holds, and rows are long or aligned, whole vectors go past the caches from where they are aligned.
// CHECK-LABEL: func.func @streamed
// CHECK:         %[[UNIT:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK:         %[[FAR:.*]] = arith.andi %arg2, %[[UNIT]]
// CHECK:         %[[SMALL:.*]] = arith.xori %[[FAR]]
// CHECK:         %[[BYTES:.*]] = arith.muli %[[N:.*]], %c4
// CHECK:         llvm.ptrtoint
// CHECK:         %[[LAST:.*]] = arith.andi %{{.*}}, %c63
// CHECK:         %[[ENDS:.*]] = arith.cmpi ne, %[[LAST]], %c0
// CHECK:         %[[UNDER:.*]] = arith.cmpi slt, %{{.*}}, %c1024
// CHECK:         %[[WAITS:.*]] = arith.andi %[[ENDS]], %[[UNDER]]
// CHECK:         %[[SHORT:.*]] = arith.cmpi slt, %{{.*}}, %c32
// CHECK:         %[[KEPT:.*]] = arith.ori %[[SHORT]], %[[WAITS]]
// CHECK:         %[[NEAR:.*]] = arith.ori %[[SMALL]], %[[KEPT]]
// CHECK:         %[[USUAL:.*]] = llvm.intr.expect %[[NEAR]], %true
// CHECK-NEXT:    scf.if %[[USUAL]] {
// CHECK-NOT:       nontemporal
// CHECK:           tegula.seldom_repeated
// CHECK:         } else {
// CHECK:           llvm.ptrtoint
// CHECK:           vector.maskedstore
// CHECK:           scf.for
// CHECK:             %[[VALUE:.*]] = vector.load
// CHECK:             vector.store %[[VALUE]], {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:           vector.maskedstore
// CHECK:         return
func.func @streamed(%x: memref<?xf32>, %y: memref<?xf32, strided<[?]>>, %large: i1) {
  %target = cpu.stream %y if %large : memref<?xf32, strided<[?]>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%target : memref<?xf32, strided<[?]>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// Rows are aligned if they begin and end where vectors do: the distance of rows counts, too.
// CHECK-LABEL: func.func @streamed_rows
// CHECK:         %[[ALL:.*]] = arith.ori %{{.*}}, %c1024
// CHECK:         arith.muli %[[ALL]], %c4
// CHECK:         nontemporal
func.func @streamed_rows(%x: memref<?xf32>, %y: memref<?x?xf32, strided<[1024, ?]>>, %large: i1) {
  %target = cpu.stream %y if %large : memref<?x?xf32, strided<[1024, ?]>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?xf32>) outs(%target : memref<?x?xf32, strided<[1024, ?]>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// What is combined with what is there goes through the caches.
// CHECK-LABEL: func.func @combined
// CHECK-NOT:     nontemporal
// CHECK:         return
func.func @combined(%x: memref<?xf32>, %y: memref<?xf32, strided<[?]>>, %large: i1) {
  %target = cpu.stream %y if %large : memref<?xf32, strided<[?]>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%target : memref<?xf32, strided<[?]>>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %b, %a : f32
    linalg.yield %sum : f32
  }
  return
}

// -----

// The end of a row is in half a vector where that holds it; in sums the other half is not counted.
// CHECK-LABEL: func.func @halves
// CHECK:         scf.for
// CHECK:           %[[SHORT:.*]] = arith.cmpi sle, %{{.*}}, %c8
// CHECK:           scf.if %[[SHORT]]
// CHECK:             vector.maskedload {{.*}} into vector<8xf32>
// CHECK:             vector.shuffle {{.*}} : vector<8xf32>, vector<8xf32>
// CHECK:           } else {
// CHECK:             vector.maskedload {{.*}} into vector<16xf32>
// CHECK:           arith.select %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK:         scf.for
// CHECK:           arith.cmpi sle, %{{.*}}, %c8
// CHECK:             vector.maskedstore {{.*}} vector<8xf32>
// CHECK:           } else {
// CHECK:             vector.maskedstore {{.*}} vector<16xf32>
func.func @halves(%x: memref<4x?xf32>, %s: memref<4xf32>, %y: memref<4x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x?xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %b, %a : f32
    linalg.yield %n : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<4x?xf32>, memref<4xf32>) outs(%y : memref<4x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %n = arith.mulf %b, %a : f32
    linalg.yield %n : f32
  }
  return
}
