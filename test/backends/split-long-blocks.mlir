// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-split-long-blocks="most=8 piece=4" --split-input-file | FileCheck %s
// RUN: tegula-opt %s --tegula-cpu-split-long-blocks --split-input-file | FileCheck %s --check-prefix=WHOLE

// A value that one piece makes and the next one needs is saved and read again; a constant is repeated.
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

// Each turn of a parallel loop has a frame of its own, and what comes from outside is saved there.
// CHECK-LABEL: func.func @turns
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK:           %[[FRAME:.*]] = llvm.alloca
// CHECK:           llvm.store
// CHECK:           call @turns_part(%[[FRAME]])
func.func @turns(%n: index, %out: !llvm.ptr) {
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
