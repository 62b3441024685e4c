// RUN: tegula-opt %s --canonicalize | FileCheck %s
// Ops that do nothing go; those that look alike stay.

// CHECK-LABEL: @relax_to_the_same
// CHECK-SAME:    %[[T:.*]]: !pl.tile<[8], f32>
// CHECK-NEXT:    return %[[T]]
func.func @relax_to_the_same(%t: !pl.tile<[8], f32>) -> !pl.tile<[8], f32> {
  %r = pl.relax %t : !pl.tile<[8], f32> -> !pl.tile<[8], f32>
  return %r : !pl.tile<[8], f32>
}

// CHECK-LABEL: @keep_relax
// CHECK:         pl.relax
func.func @keep_relax(%t: !pl.tile<[8], f32>) -> !pl.tile<[?], f32> {
  %r = pl.relax %t : !pl.tile<[8], f32> -> !pl.tile<[?], f32>
  return %r : !pl.tile<[?], f32>
}

// CHECK-LABEL: @cast_to_the_same
// CHECK-SAME:    %[[X:.*]]: f32
// CHECK-NEXT:    return %[[X]]
func.func @cast_to_the_same(%x: f32) -> f32 {
  %r = pl.cast %x floor : f32 -> f32
  return %r : f32
}

// CHECK-LABEL: @keep_cast
// CHECK:         pl.cast
func.func @keep_cast(%x: i32) -> ui32 {
  %r = pl.cast %x none : i32 -> ui32
  return %r : ui32
}

// CHECK-LABEL: @broadcast_to_the_same
// CHECK-SAME:    %[[T:.*]]: !pl.tile<[8, 1], f32>
// CHECK-NEXT:    return %[[T]]
func.func @broadcast_to_the_same(%t: !pl.tile<[8, 1], f32>) -> !pl.tile<[8, 1], f32> {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = pl.broadcast %t, [%c8, %c1] : !pl.tile<[8, 1], f32> -> !pl.tile<[8, 1], f32>
  return %r : !pl.tile<[8, 1], f32>
}

// CHECK-LABEL: @keep_broadcast
// CHECK:         pl.broadcast
func.func @keep_broadcast(%t: !pl.tile<[8, 1], f32>) -> !pl.tile<[8, 2], f32> {
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = pl.broadcast %t, [%c8, %c2] : !pl.tile<[8, 1], f32> -> !pl.tile<[8, 2], f32>
  return %r : !pl.tile<[8, 2], f32>
}

// CHECK-LABEL: @inline_pure_at
// CHECK-SAME:    %[[X:.*]]: f32
// CHECK-NEXT:    %[[S:.*]] = pl.add %[[X]], %[[X]]
// CHECK-NEXT:    return %[[S]], %[[X]]
func.func @inline_pure_at(%x: f32) -> (f32, f32) {
  %r:2 = pl.at core_group -> f32, f32 {
    %s = pl.add %x, %x : f32, f32
    pl.yield %s, %x : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// CHECK-LABEL: @keep_at_that_writes
// CHECK:         pl.at core_group
// CHECK:           pl.store
func.func @keep_at_that_writes(%t: !pl.tile<[8], f32>, %x: !pl.tensor<[8], f32>) {
  pl.at core_group {
    pl.store %t, %x : !pl.tile<[8], f32>, !pl.tensor<[8], f32>
  }
  return
}

// CHECK-LABEL: @drop_unused
// CHECK-NEXT:    return
func.func @drop_unused(%x: !pl.tensor<[8], f32>, %n: index) {
  %t = pl.load %x : !pl.tensor<[8], f32>
  %s = pl.exp %t : !pl.tile<[8], f32>
  %v = pl.slice %x[%n] [%n] : !pl.tensor<[8], f32> -> !pl.tensor<[upto 8], f32>
  return
}

// CHECK-LABEL: @keep_bind
// CHECK:         pl.bind "N"
func.func @keep_bind(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %N = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  return
}
