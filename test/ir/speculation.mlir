// RUN: tegula-opt %s --loop-invariant-code-motion | FileCheck %s
// Ops that can fail at run time stay in loops that may not run; others go.

// CHECK-LABEL: @keep_what_can_fail
// CHECK:         scf.for
// CHECK-DAG:       pl.slice
// CHECK-DAG:       pl.window
// CHECK-DAG:       pl.insert
// CHECK-DAG:       pl.read
func.func @keep_what_can_fail(%x: !pl.tensor<[8], f32>, %t: !pl.tile<[8], f32>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %v = pl.slice %x[%i] [%c1] : !pl.tensor<[8], f32> -> !pl.tensor<[upto 1], f32>
    %w = pl.window %t[%i] [%c1] : !pl.tile<[8], f32> -> !pl.tile<[upto 1], f32>
    %u = pl.insert %w, %t[%i] : !pl.tile<[upto 1], f32>, !pl.tile<[8], f32>
    %s = pl.read %t[%i] : !pl.tile<[8], f32>
  }
  return
}

// CHECK-LABEL: @move_what_cannot_fail
// CHECK:         pl.div
// CHECK:         pl.reduce
// CHECK:         scf.for
func.func @move_what_cannot_fail(%t: !pl.tile<[8], i32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %q = pl.div %t, %t : !pl.tile<[8], i32>, !pl.tile<[8], i32>
    %s = pl.reduce sum %q axis 0 : !pl.tile<[8], i32>
  }
  return
}
