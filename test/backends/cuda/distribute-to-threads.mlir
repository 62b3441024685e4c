// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cuda-distribute-to-threads --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

// The host says how many iterations there are: (m + 7) / 8.
// CHECK-LABEL: func.func @iterations(
// CHECK:         arith.ceildivsi
// CHECK:         llvm.call @tegulaGpuRun

// Iterations are distributed to blocks, elements among threads. Nobody waits at the end.
// CHECK-LABEL: func.func private @iterations_kernel(
// CHECK-SAME:    %[[DATA:.*]]: !llvm.ptr, %[[M:.*]]: i64, %[[BARRIER:[^:]*]]: !llvm.ptr
// CHECK:         %[[THREAD:.*]] = arith.index_cast %{{.*}}
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK:           scf.for
// CHECK:             memref.store
// CHECK:           llvm.call @tegulaGpuBarrier()
// CHECK:         }
// CHECK-NOT:     tegulaGpuGridBarrier
// CHECK:         return
func.func @iterations(%slots: !llvm.ptr, %state: !llvm.ptr) {
  %data = llvm.load %slots : !llvm.ptr -> !llvm.ptr
  %address = llvm.getelementptr %slots[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %m = llvm.load %address : !llvm.ptr -> i64
  %rows = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %eight = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %poison = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %first = llvm.insertvalue %data, %poison[0] : !llvm.struct<(ptr, ptr, i64)>
  %second = llvm.insertvalue %data, %first[1] : !llvm.struct<(ptr, ptr, i64)>
  %offset = llvm.mlir.constant(0 : index) : i64
  %third = llvm.insertvalue %offset, %second[2] : !llvm.struct<(ptr, ptr, i64)>
  %memory = builtin.unrealized_conversion_cast %third : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
  scf.parallel (%i) = (%zero) to (%rows) step (%eight) {
    %row = memref.reinterpret_cast %memory to offset: [%i], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%row : memref<8xf32, strided<[1], offset: ?>>) {
    ^bb0(%out: f32):
      linalg.yield %one : f32
    }
  }
  return
}

// -----

// Before blocks go on with what others wrote there is a barrier.
// CHECK-LABEL: func.func private @phases_kernel(
// CHECK-SAME:    tegula.grid_barrier
// CHECK:         memref.store
// CHECK:         llvm.call @tegulaGpuGridBarrier
// CHECK:         memref.load
// CHECK:         llvm.call @tegulaGpuGridBarrier
// CHECK:         memref.store
// CHECK-NOT:     tegulaGpuGridBarrier
func.func @phases(%slots: !llvm.ptr, %state: !llvm.ptr) {
  %data = llvm.load %slots : !llvm.ptr -> !llvm.ptr
  %one = arith.constant 1.0 : f32
  %poison = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %first = llvm.insertvalue %data, %poison[0] : !llvm.struct<(ptr, ptr, i64)>
  %second = llvm.insertvalue %data, %first[1] : !llvm.struct<(ptr, ptr, i64)>
  %offset = llvm.mlir.constant(0 : index) : i64
  %third = llvm.insertvalue %offset, %second[2] : !llvm.struct<(ptr, ptr, i64)>
  %memory = builtin.unrealized_conversion_cast %third : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
  memref.store %one, %memory[] : memref<f32>
  %read = memref.load %memory[] : memref<f32>
  %sum = arith.addf %read, %one : f32
  memref.store %sum, %memory[] : memref<f32>
  return
}

// -----

llvm.func @tegulaRank() -> i64
func.func @ranks(%slots: !llvm.ptr, %state: !llvm.ptr) {
  // expected-error @below {{a GPU cannot do this: programs over ranks run on processors and on simulated NPUs}}
  %rank = llvm.call @tegulaRank() : () -> i64
  return
}

// -----

// All blocks share a sort. It has barriers inside, so they must run together although nothing comes after it.
// CHECK-LABEL: func.func private @shared_kernel(
// CHECK-SAME:    %[[BARRIER:[^:]*]]: !llvm.ptr, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr) attributes
// CHECK-SAME:    tegula.grid_barrier
// CHECK:         llvm.call @tegulaGpuSortRowsByAll(%[[BARRIER]],
// CHECK-NOT:     tegulaGpuGridBarrier
// CHECK:         return
llvm.func @tegulaSortRows(!llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, i32)
func.func @shared(%slots: !llvm.ptr, %state: !llvm.ptr) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %kind = arith.constant 11 : i64
  %site = arith.constant 0 : i32
  %rows = llvm.alloca %one x !llvm.array<9 x i64> : (i64) -> !llvm.ptr
  llvm.call @tegulaSortRows(%rows, %zero, %one, %kind, %zero, %zero, %state, %site) : (!llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, i32) -> ()
  return
}

// -----

// Numbers are each block's own doing. What one thread stores for all is waited for by all, also before numbers.
// CHECK-LABEL: func.func private @numbers_kernel(
// CHECK:         memref.store
// CHECK:         llvm.call @tegulaGpuGridBarrier
// CHECK:         llvm.store
// CHECK-NOT:     tegulaGpuGridBarrier
// CHECK:         llvm.store
// CHECK-NOT:     tegulaGpuGridBarrier
// CHECK:         llvm.call @tegulaGpuBarrier
// CHECK-NOT:     tegulaGpuGridBarrier
// CHECK:         llvm.call @tegulaGpuSortRowsByAll
llvm.func @tegulaSortRows(!llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, i32)
func.func @numbers(%slots: !llvm.ptr, %state: !llvm.ptr) {
  %rows = llvm.load %slots : !llvm.ptr -> !llvm.ptr
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %float = arith.constant 1.0 : f32
  %kind = arith.constant 11 : i64
  %site = arith.constant 0 : i32
  %poison = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64)>
  %first = llvm.insertvalue %rows, %poison[0] : !llvm.struct<(ptr, ptr, i64)>
  %second = llvm.insertvalue %rows, %first[1] : !llvm.struct<(ptr, ptr, i64)>
  %offset = llvm.mlir.constant(0 : index) : i64
  %third = llvm.insertvalue %offset, %second[2] : !llvm.struct<(ptr, ptr, i64)>
  %memory = builtin.unrealized_conversion_cast %third : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
  memref.store %float, %memory[] : memref<f32>
  llvm.store %one, %rows : i64, !llvm.ptr
  %address = llvm.getelementptr %rows[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %zero, %address : i64, !llvm.ptr
  llvm.call @tegulaSortRows(%rows, %zero, %one, %kind, %zero, %zero, %state, %site) : (!llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, i32) -> ()
  return
}

// -----

// What only one thread knows must be asked in a loop that blocks share.
func.func @thread_of_no_block(%slots: !llvm.ptr, %state: !llvm.ptr) {
  // expected-error @below {{must be in a loop that is distributed to threads}}
  %thread = cuda.thread of 64
  return
}
