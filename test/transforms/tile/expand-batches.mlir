// RUN: tegula-opt %s --tegula-expand-batches | FileCheck %s

// CHECK-LABEL: @stored
// CHECK-SAME:    %[[A:.*]]: !pl.tensor<[?, 8, 16], f32>, %[[B:.*]]: !pl.tensor<[16, 4], f32>, %[[Y:.*]]: !pl.tensor<[?, 8, 4], f32>
func.func @stored(%a: !pl.tensor<[?, 8, 16], f32>, %b: !pl.tensor<[16, 4], f32>, %y: !pl.tensor<[?, 8, 4], f32>) {
  %n = pl.bind "N" %a[0], %y[0] : !pl.tensor<[?, 8, 16], f32>, !pl.tensor<[?, 8, 4], f32>
  %s = pl.load %a : !pl.tensor<[?, 8, 16], f32>
  %t = pl.load %b : !pl.tensor<[16, 4], f32>
  // CHECK-NOT: pl.create_tensor
  // CHECK:     pl.parallel %[[I:.*]] =
  // CHECK:       %[[SLICE:.*]] = pl.slice %[[A]][%[[I]], {{.*}} drop [0]
  // CHECK:       %[[L:.*]] = pl.load %[[SLICE]]
  // CHECK:       %[[P:.*]] = pl.matmul %[[L]], %{{.*}} : {{.*}}<[8, 16], f32>, {{.*}}<[16, 4], f32>
  // CHECK:       %[[W:.*]] = pl.slice %[[Y]][%[[I]], {{.*}} drop [0]
  // CHECK:       pl.store %[[P]], %[[W]]
  %r = pl.matmul %s, %t : !pl.tile<[?, 8, 16], f32>, !pl.tile<[16, 4], f32>
  pl.store %r, %y : !pl.tile<[?, 8, 4], f32>, !pl.tensor<[?, 8, 4], f32>
  return
}

// The product overwrites its operand, so it needs memory of its own.

// CHECK-LABEL: @in_place
// CHECK:         %[[M:.*]] = pl.create_tensor
// CHECK:         pl.parallel
// CHECK:           pl.slice %[[M]]
// CHECK:         %[[R:.*]] = pl.load %[[M]]
// CHECK:         pl.store %[[R]], %{{.*}} :
func.func @in_place(%x: !pl.tensor<[2, 8, 8], f32>) {
  %s = pl.load %x : !pl.tensor<[2, 8, 8], f32>
  %r = pl.matmul %s, %s : !pl.tile<[2, 8, 8], f32>, !pl.tile<[2, 8, 8], f32>
  pl.store %r, %x : !pl.tile<[2, 8, 8], f32>, !pl.tensor<[2, 8, 8], f32>
  return
}

// Plain products stay.

// CHECK-LABEL: @plain
// CHECK-NOT:     pl.parallel
func.func @plain(%s: !pl.tile<[8, 8], f32>) -> !pl.tile<[8, 8], f32> {
  // CHECK: pl.matmul
  %r = pl.matmul %s, %s : !pl.tile<[8, 8], f32>, !pl.tile<[8, 8], f32>
  return %r : !pl.tile<[8, 8], f32>
}
