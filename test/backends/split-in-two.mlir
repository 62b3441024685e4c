// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-split-long-blocks="least-halved=8" --split-input-file | FileCheck %s --enable-var-scope
// RUN: tegula-opt %s --tegula-cpu-split-long-blocks="least-halved=100" --split-input-file | FileCheck %s --check-prefix=WHOLE

// What turns do is in two functions, and the loop stays where it is.
// CHECK-LABEL: func.func @turns
// CHECK:         scf.parallel
// CHECK:           %[[FRAME:.*]] = llvm.alloca
// CHECK:           call @turns_part(%[[FRAME]])
// CHECK-NEXT:      call @turns_part_0(%[[FRAME]])
// CHECK-NOT:       call @

// Too little for two threads.
// WHOLE-LABEL: func.func @turns
// WHOLE-NOT:     call
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

// -----

// Most of it is one loop, whose turns would each have a call.
// CHECK-LABEL: func.func @keep_one_loop
// CHECK-NOT:     call
func.func @keep_one_loop(%n: index, %out: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a0 = arith.addi %n, %i : index
    %a1 = arith.muli %a0, %i : index
    %a2 = arith.addi %a1, %a0 : index
    %a3 = arith.muli %a2, %a0 : index
    %a4 = arith.addi %a3, %a1 : index
    %a5 = arith.muli %a4, %a2 : index
    %a6 = arith.addi %a5, %i : index
    %a7 = arith.index_cast %a6 : index to i64
    llvm.store %a7, %out : i64, !llvm.ptr
  }
  return
}
