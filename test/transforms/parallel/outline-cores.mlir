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

// -----

// What a core says of a number holds behind it, and in another core.
// CHECK-LABEL: func.func @bounded
// CHECK:         %[[CALL:.*]] = pl.launch @bounded_core0
// CHECK:         %[[MOST:.*]] = arith.constant 4 : index
// CHECK:         %[[LEAST:.*]] = arith.minsi %[[CALL]], %[[MOST]]
// CHECK:         pl.slice %{{.*}}[%{{.*}}] [%[[LEAST]]]
// CHECK:       func.func private @bounded_core1
// CHECK:         arith.minsi
// CHECK:         pl.slice
func.func @bounded(%x: !pl.tensor<[?], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %size = pl.at core_group -> index {
    %least = arith.minsi %n, %c4 : index
    pl.yield %least : index
  }
  %v = pl.slice %x[%c0] [%size] : <[?], f32> -> <[upto 4], f32>
  %t = pl.load %v : <[upto 4], f32>
  pl.at core_group {
    %w = pl.slice %x[%c0] [%size] : <[?], f32> -> <[upto 4], f32>
    pl.store %t, %w : <[upto 4], f32>, <[upto 4], f32>
  }
  return
}

// -----

// In the loop there are rows left, and so their number times another one has a
// bound.
// CHECK-LABEL: func.func private @size_of_two_axes_core0
// CHECK:         %[[SIZE:.*]] = arith.muli
// CHECK:         %[[MOST:.*]] = arith.constant 8 : index
// CHECK:         %[[LEAST:.*]] = arith.minsi %[[SIZE]], %[[MOST]]
// CHECK:         pl.slice %{{.*}}[%{{.*}}] [%[[LEAST]]]
func.func @size_of_two_axes(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  pl.parallel %i = %c0 to %M step %c8 {
    %left = arith.subi %M, %i : index
    %rows = arith.minsi %left, %c8 : index
    %once = arith.minsi %M, %c1 : index
    %size = arith.muli %rows, %once : index
    pl.at core_group {
      %v = pl.slice %x[%i] [%size] : <[?], f32> -> <[upto 8], f32>
      %w = pl.slice %y[%i] [%size] : <[?], f32> -> <[upto 8], f32>
      %t = pl.load %v : <[upto 8], f32>
      pl.store %t, %w : <[upto 8], f32>, <[upto 8], f32>
    }
  }
  return
}
