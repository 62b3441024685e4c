// RUN: tegula-opt %s --tegula-zero-created-tensors | FileCheck %s

// CHECK-LABEL: @of_floats
// CHECK-SAME:    %[[N:.*]]: index
func.func @of_floats(%n: index) {
  // CHECK: %[[T:.*]] = pl.create_tensor[%[[N]]]
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[ZEROS:.*]] = pl.full %[[ZERO]]
  // CHECK: pl.store %[[ZEROS]], %[[T]]
  %t = pl.create_tensor [%n] : !pl.tensor<[?], f32>
  return
}

// CHECK-LABEL: @of_unsigned_integers
func.func @of_unsigned_integers(%n: index) {
  // CHECK: %[[T:.*]] = pl.create_tensor
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i8
  // CHECK: pl.cast %[[ZERO]]
  // CHECK: pl.store %{{.*}}, %[[T]]
  %t = pl.create_tensor [%n] : !pl.tensor<[?], ui8>
  return
}

// What is given has its contents.

// CHECK-LABEL: @of_nothing
// CHECK-NOT: pl.store
func.func @of_nothing(%x: !pl.tensor<[?], f32>) {
  return
}
