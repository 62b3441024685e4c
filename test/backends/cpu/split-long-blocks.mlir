// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-split-long-blocks="most=8 chunk=4" --split-input-file | FileCheck %s
// RUN: tegula-opt %s --tegula-cpu-split-long-blocks --split-input-file | FileCheck %s --check-prefix=WHOLE

// A value that one chunk makes and the next one needs is saved and read again; a constant is repeated.
// CHECK-LABEL: func.func @long
// CHECK:         %[[FRAME:.*]] = llvm.alloca %{{.*}} x i64
// CHECK:         call @long_part(%[[FRAME]])
// CHECK:         call @long_part_0(%[[FRAME]])
// CHECK:         return
// CHECK-LABEL: func.func private @long_part(
// CHECK:         arith.muli
// CHECK:         llvm.store %{{.*}}, %{{.*}} : i64, !llvm.ptr
// CHECK-LABEL: func.func private @long_part_0(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> i64

// A short function stays whole.
// WHOLE-LABEL: func.func @long
// WHOLE-NOT:     call
func.func @long(%n: index, %out: !llvm.ptr) {
  %c3 = arith.constant 3 : index
  %a0 = arith.addi %n, %c3 : index
  %a1 = arith.muli %a0, %c3 : index
  %a2 = arith.addi %a1, %a0 : index
  %a3 = arith.muli %a2, %a0 : index
  %a4 = arith.addi %a3, %a1 : index
  %a5 = arith.muli %a4, %a2 : index
  %a6 = arith.addi %a5, %c3 : index
  %a7 = arith.index_cast %a6 : index to i64
  llvm.store %a7, %out : i64, !llvm.ptr
  return
}

// -----

// Each iteration of a parallel loop has a frame of its own, and what comes from outside is saved there.
// CHECK-LABEL: func.func @iterations
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK:           %[[FRAME:.*]] = llvm.alloca
// CHECK:           llvm.store
// CHECK:           call @iterations_part(%[[FRAME]])
func.func @iterations(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a0 = arith.addi %n, %i : index
    %a1 = arith.muli %a0, %i : index
    %a2 = arith.addi %a1, %a0 : index
    %a3 = arith.muli %a2, %a0 : index
    %a4 = arith.addi %a3, %a1 : index
    %a5 = arith.muli %a4, %a2 : index
    %a6 = arith.addi %a5, %i : index
    %a7 = arith.index_cast %a6 : index to i64
    llvm.store %a7, %out : i64, !llvm.ptr
    scf.reduce
  }
  return
}

// -----

// LLVM has no type for floats of 8 bits: between chunks they are integers.
// CHECK-LABEL: func.func private @narrow_part(
// CHECK:         arith.bitcast %{{.*}} : f8E4M3FN to i8
// CHECK:         llvm.store %{{.*}}, %{{.*}} : i8, !llvm.ptr
// CHECK-LABEL: func.func private @narrow_part_0(
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK:         arith.bitcast %{{.*}} : i8 to f8E4M3FN
func.func @narrow(%x: f32, %out: !llvm.ptr) {
  %a0 = arith.mulf %x, %x : f32
  %a1 = arith.mulf %a0, %x : f32
  %a2 = arith.truncf %a1 : f32 to f8E4M3FN
  %a3 = arith.mulf %x, %x : f32
  %a4 = arith.mulf %a3, %a3 : f32
  %a5 = arith.mulf %a4, %a3 : f32
  %a6 = arith.extf %a2 : f8E4M3FN to f32
  %a7 = arith.addf %a6, %a5 : f32
  llvm.store %a7, %out : f32, !llvm.ptr
  return
}

// -----

// A body that is cut twice: its induction variable is saved in the body itself, not in a chunk that would read it there.
// CHECK-LABEL: func.func @twice
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK:           %[[BITS:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK:           llvm.store %[[BITS]], %{{.*}} : i64, !llvm.ptr
// CHECK:           call @twice_part
func.func @twice(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a0 = arith.addi %i, %i : index
    %a1 = arith.muli %a0, %i : index
    %a2 = arith.addi %a1, %i : index
    %a3 = arith.muli %a2, %i : index
    %a4 = arith.addi %a3, %i : index
    %a5 = arith.muli %a4, %i : index
    %a6 = arith.addi %a5, %i : index
    %a7 = arith.muli %a6, %i : index
    %a8 = arith.addi %a7, %i : index
    %a9 = arith.muli %a8, %i : index
    %a10 = arith.addi %a9, %i : index
    %a11 = arith.muli %a10, %i : index
    %a12 = arith.addi %a11, %i : index
    %a13 = arith.muli %a12, %i : index
    %a14 = arith.addi %a13, %i : index
    %a15 = arith.muli %a14, %i : index
    %a16 = arith.addi %a15, %i : index
    %a17 = arith.muli %a16, %i : index
    %a18 = arith.addi %a17, %i : index
    %a19 = arith.muli %a18, %i : index
    %a20 = arith.addi %a19, %i : index
    %a21 = arith.muli %a20, %i : index
    %a22 = arith.addi %a21, %i : index
    %a23 = arith.muli %a22, %i : index
    %a24 = arith.addi %a23, %i : index
    %a25 = arith.muli %a24, %i : index
    %a26 = arith.addi %a25, %i : index
    %a27 = arith.muli %a26, %i : index
    %a28 = arith.addi %a27, %i : index
    %a29 = arith.muli %a28, %i : index
    %a30 = arith.addi %a29, %i : index
    %a31 = arith.muli %a30, %i : index
    %a32 = arith.addi %a31, %i : index
    %a33 = arith.muli %a32, %i : index
    %a34 = arith.addi %a33, %i : index
    %a35 = arith.muli %a34, %i : index
    %a36 = arith.addi %a35, %i : index
    %a37 = arith.muli %a36, %i : index
    %a38 = arith.addi %a37, %i : index
    %a39 = arith.muli %a38, %i : index
    %bits = arith.index_cast %a39 : index to i64
    llvm.store %bits, %out : i64, !llvm.ptr
  }
  return
}

// -----

// Memory that the function makes is made in no chunk, which it would not outlive, and where it lies is saved at once.
// CHECK-LABEL: func.func @memory
// CHECK:         %[[FRAME:.*]] = llvm.alloca %{{.*}} x i64
// CHECK:         %[[OWN:.*]] = llvm.alloca %{{.*}} x i64
// CHECK:         llvm.store %[[OWN]]
// CHECK:         call @memory_part_0(%[[FRAME]])
// CHECK-NOT:     llvm.alloca
func.func @memory(%n: index, %out: !llvm.ptr) {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i64
  %own = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %a0 = arith.addi %n, %c3 : index
  %a1 = arith.muli %a0, %c3 : index
  %a2 = arith.addi %a1, %a0 : index
  %a3 = arith.muli %a2, %a0 : index
  %a4 = arith.addi %a3, %a1 : index
  %a5 = arith.muli %a4, %a2 : index
  %a6 = arith.addi %a5, %c3 : index
  %a7 = arith.index_cast %a6 : index to i64
  llvm.store %a7, %own : i64, !llvm.ptr
  %back = llvm.load %own : !llvm.ptr -> i64
  llvm.store %back, %out : i64, !llvm.ptr
  return
}
