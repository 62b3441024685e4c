// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-share-statements="least=0" --split-input-file | FileCheck %s
// RUN: tegula-opt %s --tegula-cpu-share-statements --split-input-file | FileCheck %s --check-prefix=SMALL

#id = affine_map<(i) -> (i)>

// Equal but for a constant and the memory: one function. The third loop does something else.
// CHECK-LABEL: func.func @three
// CHECK:         call @three_shared(%{{.*}}) : (!llvm.ptr, f32) -> ()
// CHECK:         call @three_shared(%{{.*}}) : (!llvm.ptr, f32) -> ()
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// CHECK-LABEL: func.func private @three_shared(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[NUMBER:.*]]: f32
// CHECK:         linalg.generic
// CHECK:           arith.addf %{{.*}}, %[[NUMBER]]

// A small function is left as it is.
// SMALL-LABEL: func.func @three
// SMALL-NOT:     _shared
func.func @three(%p: !llvm.ptr, %q: !llvm.ptr) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %u = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %p0 = llvm.insertvalue %p, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %p1 = llvm.insertvalue %p, %p0[1] : !llvm.struct<(ptr, ptr, i64)>
  %p2 = llvm.insertvalue %zero, %p1[2] : !llvm.struct<(ptr, ptr, i64)>
  %pm = builtin.unrealized_conversion_cast %p2 : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
  %x = memref.reinterpret_cast %pm to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1]>>
  %q0 = llvm.insertvalue %q, %u[0] : !llvm.struct<(ptr, ptr, i64)>
  %q1 = llvm.insertvalue %q, %q0[1] : !llvm.struct<(ptr, ptr, i64)>
  %q2 = llvm.insertvalue %zero, %q1[2] : !llvm.struct<(ptr, ptr, i64)>
  %qm = builtin.unrealized_conversion_cast %q2 : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
  %y = memref.reinterpret_cast %qm to offset: [0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32, strided<[1]>>) outs(%x : memref<8xf32, strided<[1]>>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %one : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%y : memref<8xf32, strided<[1]>>) outs(%y : memref<8xf32, strided<[1]>>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %two : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32, strided<[1]>>) outs(%y : memref<8xf32, strided<[1]>>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %two : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Branches in which memory is only copied are shared too, as far as they are the same.
// CHECK-LABEL: func.func @branches
// CHECK:         call @branches_shared(%[[C:.*]], %{{.*}}, %[[P:.*]], %{{.*}}) : (i1, i64, !llvm.ptr, i64) -> ()
// CHECK:         call @branches_shared(%[[C]], %{{.*}}, %[[Q:.*]], %{{.*}}) : (i1, i64, !llvm.ptr, i64) -> ()
// CHECK-NOT:     scf.if
// CHECK-LABEL: func.func private @branches_shared(
// CHECK:         scf.if
// CHECK:           llvm.store
// CHECK:           llvm.call @copy
llvm.func @copy(!llvm.ptr, i64)
func.func @branches(%c: i1, %p: !llvm.ptr, %q: !llvm.ptr, %a: i64, %b: i64) {
  %two = arith.constant 2 : i64
  scf.if %c {
  } else {
    llvm.store %a, %p : i64, !llvm.ptr
    %p1 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %a, %p1 : i64, !llvm.ptr
    %p2 = llvm.getelementptr %p[2] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %a, %p2 : i64, !llvm.ptr
    %p3 = llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %a, %p3 : i64, !llvm.ptr
    llvm.call @copy(%p, %two) : (!llvm.ptr, i64) -> ()
  }
  scf.if %c {
  } else {
    llvm.store %b, %q : i64, !llvm.ptr
    %q1 = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %b, %q1 : i64, !llvm.ptr
    %q2 = llvm.getelementptr %q[2] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %b, %q2 : i64, !llvm.ptr
    %q3 = llvm.getelementptr %q[3] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.store %b, %q3 : i64, !llvm.ptr
    llvm.call @copy(%q, %two) : (!llvm.ptr, i64) -> ()
  }
  return
}
