// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-simplify --allow-unregistered-dialect --split-input-file | FileCheck %s

// What folds in a loop, and then the loop.
// CHECK-LABEL: func.func @inside_out
// CHECK-SAME:    %[[N:.*]]: index
// CHECK-NEXT:    return %[[N]]
func.func @inside_out(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %n) -> index {
    %b = arith.addi %a, %c0 : index
    scf.yield %b : index
  }
  return %r : index
}

// -----

// Equal constants are one, at the top.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT:    %[[C:.*]] = arith.constant 7 : index
// CHECK-NOT:     arith.constant
// CHECK:         scf.if
// CHECK:           "test.use"(%[[C]])
// CHECK:           "test.use"(%[[C]])
func.func @constants(%b: i1) {
  scf.if %b {
    %c7 = arith.constant 7 : index
    "test.use"(%c7) : (index) -> ()
    %d7 = arith.constant 7 : index
    "test.use"(%d7) : (index) -> ()
  }
  return
}

// -----

// An effect keeps a loop.
// CHECK-LABEL: func.func @effect
// CHECK:         scf.for
// CHECK:           "test.use"
func.func @effect(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    "test.use"(%i) : (index) -> ()
  }
  return
}
