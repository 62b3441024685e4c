// RUN: tegula-opt %s --tegula-outline-cores --split-input-file | FileCheck %s
// Core regions become functions of what they use.

// Tensors, the number that a store needs, and what sizes are computed from;
// constants and arithmetic on sizes are in the function.
// CHECK-LABEL: func.func @kernel(
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?], f32>, %[[Y:.*]]: !pl.tensor<[?], f32>, %[[N:.*]]: index, %[[S:.*]]: f32
// CHECK:         pl.parallel %[[I:.*]] =
// CHECK:           pl.launch @kernel_core0(%[[S]], %[[N]], %[[I]], %[[Y]]) at core_group
// CHECK:         %[[R:.*]] = pl.launch @kernel_core1(%[[Y]]) at core_group {task = {role = "AIV"}}
// CHECK-SAME:      : (!pl.tensor<[?], f32>) -> f32
// CHECK:         pl.write %[[R]]
// CHECK:       func.func private @kernel_core0(%[[V:.*]]: f32, %[[M:.*]]: index, %[[J:.*]]: index {pl.range = array<i64: 0, 9223372036854775807>}, %[[Z:.*]]: !pl.tensor<[?], f32>)
// CHECK-SAME:    pl.kind = #pl.kind<incore>
// CHECK:         arith.subi %[[M]], %[[J]]
// CHECK:         pl.full %[[V]]
// CHECK:       func.func private @kernel_core1
func.func @kernel(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>, %n: index, %s: f32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %n step %c8 {
    %left = arith.subi %n, %i : index
    %size = arith.minsi %left, %c8 : index
    pl.at core_group {
      %t = pl.full %s, [%size] : f32 -> <[upto 8], f32>
      %v = pl.slice %y[%i] [%size] : <[?], f32> -> <[upto 8], f32>
      pl.store %t, %v : <[upto 8], f32>, <[upto 8], f32>
    }
  }
  %r = pl.at core_group -> f32 {
    %v = pl.slice %y[%c0] [%c8] : <[?], f32> -> <[upto 8], f32>
    %t = pl.load %v : <[upto 8], f32>
    %e = pl.read %t[%c0] : !pl.tile<[upto 8], f32>
    pl.yield %e : f32
  } {task = {role = "AIV"}}
  pl.write %r, %x[%c0] : f32, !pl.tensor<[?], f32>
  return
}
