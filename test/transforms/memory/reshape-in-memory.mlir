// RUN: tegula-opt %s --tegula-reshape-in-memory | FileCheck %s

// CHECK-LABEL: @loaded
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?, 8], f32>, %[[N:.*]]: index
// CHECK:         %[[V:.*]] = pl.view %[[X]], [%[[N]]] : {{.*}}<[?, 8], f32> -> {{.*}}<[?], f32>
// CHECK:         pl.load %[[V]]
func.func @loaded(%x: !pl.tensor<[?, 8], f32>, %n: index) -> !pl.tile<[?], f32> {
  %t = pl.load %x : !pl.tensor<[?, 8], f32>
  %r = pl.reshape_elements %t, [%n] : !pl.tile<[?, 8], f32> -> !pl.tile<[?], f32>
  return %r : !pl.tile<[?], f32>
}

// What is loaded is overwritten before it is reshaped.

// CHECK-LABEL: @overwritten
// CHECK:         %[[M:.*]] = pl.create_tensor
// CHECK:         pl.store %{{.*}}, %[[M]]
// CHECK:         pl.view %[[M]]
func.func @overwritten(%x: !pl.tensor<[?, 8], f32>, %u: !pl.tile<[?, 8], f32>, %n: index) -> !pl.tile<[?], f32> {
  %t = pl.load %x : !pl.tensor<[?, 8], f32>
  pl.store %u, %x : !pl.tile<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  %r = pl.reshape_elements %t, [%n] : !pl.tile<[?, 8], f32> -> !pl.tile<[?], f32>
  return %r : !pl.tile<[?], f32>
}

// CHECK-LABEL: @bounded_stays
// CHECK-NOT:     pl.view
func.func @bounded_stays(%t: !pl.tile<[upto 4, 8], f32>, %n: index) -> !pl.tile<[upto 32], f32> {
  // CHECK: pl.reshape_elements
  %r = pl.reshape_elements %t, [%n] : !pl.tile<[upto 4, 8], f32> -> !pl.tile<[upto 32], f32>
  return %r : !pl.tile<[upto 32], f32>
}
