// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-parallel-to-threads=least-work=1000 --split-input-file | FileCheck %s

// Memory on the stack is taken once for all iterations.
// CHECK-LABEL: func.func @frame
// CHECK:       func.func private @frame_iterations(
// CHECK:         llvm.alloca
// CHECK:         llvm.alloca
// CHECK:         scf.for
// CHECK-NOT:       llvm.alloca
// CHECK:           memref.store
// CHECK:         return
func.func @frame(%x: memref<?xi64>, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i64
  scf.parallel (%i) = (%c0) to (%n) step (%s) {
    %two = arith.constant 2 : i64
    %frame = llvm.alloca %two x i64 : (i64) -> !llvm.ptr
    %other = llvm.alloca %three x i64 : (i64) -> !llvm.ptr
    llvm.store %two, %frame : i64, !llvm.ptr
    llvm.store %three, %other : i64, !llvm.ptr
    %kept = llvm.load %frame : !llvm.ptr -> i64
    memref.store %kept, %x[%i] : memref<?xi64>
    scf.reduce
  }
  return
}

// -----

// A thread that is alone locks nothing.
// CHECK-LABEL: func.func @sum
// CHECK:         } else {
// CHECK:           func.call @sum_iterations_0(
// CHECK:       func.func private @sum_iterations(
// CHECK:         llvm.call @tegulaLockReduction
// CHECK:         llvm.call @tegulaUnlockReduction
// CHECK:       func.func private @sum_iterations_0(
// CHECK-NOT:     llvm.call
// CHECK:         return
llvm.func @tegulaLockReduction(!llvm.ptr)
llvm.func @tegulaUnlockReduction(!llvm.ptr)
func.func @sum(%x: memref<?xf32>, %n: index, %s: index, %tensor: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%s) {
    llvm.call @tegulaLockReduction(%tensor) : (!llvm.ptr) -> ()
    memref.store %one, %x[%c0] : memref<?xf32>
    llvm.call @tegulaUnlockReduction(%tensor) : (!llvm.ptr) -> ()
    scf.reduce
  }
  return
}

// -----

// An iteration that was cut unlocks in a function of its own, so it locks as well.
// CHECK-LABEL: func.func @cut_sum
// CHECK:         } else {
// CHECK:           func.call @cut_sum_iterations(
// CHECK:       func.func private @cut_sum_iterations(
// CHECK:         llvm.call @tegulaLockReduction
// CHECK-NOT:   @cut_sum_iterations_0
llvm.func @tegulaLockReduction(!llvm.ptr)
llvm.func @tegulaUnlockReduction(!llvm.ptr)
func.func private @cut_sum_part(%tensor: !llvm.ptr) {
  llvm.call @tegulaUnlockReduction(%tensor) : (!llvm.ptr) -> ()
  return
}
func.func @cut_sum(%x: memref<?xf32>, %n: index, %s: index, %tensor: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%s) {
    llvm.call @tegulaLockReduction(%tensor) : (!llvm.ptr) -> ()
    memref.store %one, %x[%c0] : memref<?xf32>
    func.call @cut_sum_part(%tensor) : (!llvm.ptr) -> ()
    scf.reduce
  }
  return
}
