// RUN: tegula-opt %s --tegula-elide-copies | FileCheck %s --enable-var-scope

// CHECK-LABEL: @fill_the_target
// CHECK-SAME:    %[[X:[a-z0-9]*]]: {{[^%]*}} %[[I:[a-z0-9]*]]: {{[^%]*}} %[[Y:[a-z0-9]*]]:
func.func @fill_the_target(%x: !pl.tensor<[?], f32>, %i: !pl.tensor<[?], i32>, %y: !pl.tensor<[?], f32>) {
  // CHECK-NOT: pl.create_tensor
  // CHECK:     pl.pick %[[X]][%[[I]]] axis 0 into %[[Y]]
  // CHECK-NOT: pl.store
  %n = pl.bind "N" %i[0], %y[0] : !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %t = pl.create_tensor[%n] : !pl.tensor<[?], f32>
  pl.pick %x[%i] axis 0 into %t : !pl.tensor<[?], f32>, !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %v = pl.load %t : !pl.tensor<[?], f32>
  pl.store %v, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// The window is made before what is written there.

// CHECK-LABEL: @fill_a_window
func.func @fill_a_window(%x: !pl.tensor<[?], f32>, %i: !pl.tensor<[?], i32>, %y: !pl.tensor<[9, ?], f32>) {
  // CHECK:     %[[ROW:.*]] = pl.slice
  // CHECK:     pl.pick %{{.*}} axis 0 into %[[ROW]]
  // CHECK-NOT: pl.store
  %n = pl.bind "N" %i[0], %y[1] : !pl.tensor<[?], i32>, !pl.tensor<[9, ?], f32>
  %t = pl.create_tensor[%n] : !pl.tensor<[?], f32>
  pl.pick %x[%i] axis 0 into %t : !pl.tensor<[?], f32>, !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %v = pl.load %t : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = pl.slice %y[%c1, %c0] [%c1, %n] drop [0] : !pl.tensor<[9, ?], f32> -> !pl.tensor<[?], f32>
  pl.store %v, %row : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// What is picked may lie in the target.

// CHECK-LABEL: @keep_what_reads_the_target
func.func @keep_what_reads_the_target(%i: !pl.tensor<[?], i32>, %y: !pl.tensor<[?], f32>) {
  // CHECK: %[[T:.*]] = pl.create_tensor
  // CHECK: pl.pick %{{.*}} axis 0 into %[[T]]
  %n = pl.bind "N" %i[0], %y[0] : !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %t = pl.create_tensor[%n] : !pl.tensor<[?], f32>
  pl.pick %y[%i] axis 0 into %t : !pl.tensor<[?], f32>, !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %v = pl.load %t : !pl.tensor<[?], f32>
  pl.store %v, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// CHECK-LABEL: @keep_what_a_write_comes_before
func.func @keep_what_a_write_comes_before(%x: !pl.tensor<[?], f32>, %i: !pl.tensor<[?], i32>, %y: !pl.tensor<[?], f32>, %o: !pl.tile<[?], f32>) {
  // CHECK: %[[T:.*]] = pl.create_tensor
  // CHECK: pl.pick %{{.*}} axis 0 into %[[T]]
  %n = pl.bind "N" %i[0], %y[0] : !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %t = pl.create_tensor[%n] : !pl.tensor<[?], f32>
  pl.pick %x[%i] axis 0 into %t : !pl.tensor<[?], f32>, !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %v = pl.load %t : !pl.tensor<[?], f32>
  pl.store %o, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  pl.store %v, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// CHECK-LABEL: @keep_what_is_read_later
func.func @keep_what_is_read_later(%x: !pl.tensor<[?], f32>, %i: !pl.tensor<[?], i32>, %y: !pl.tensor<[?], f32>, %o: !pl.tile<[?], f32>) {
  // CHECK: %[[T:.*]] = pl.create_tensor
  // CHECK: pl.pick %{{.*}} axis 0 into %[[T]]
  %n = pl.bind "N" %x[0], %i[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %t = pl.create_tensor[%n] : !pl.tensor<[?], f32>
  pl.pick %x[%i] axis 0 into %t : !pl.tensor<[?], f32>, !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %v = pl.load %t : !pl.tensor<[?], f32>
  pl.store %v, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  pl.store %o, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  %w = pl.load %t : !pl.tensor<[?], f32>
  pl.store %w, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// The target may be shorter: what is beyond its end would be written.

// CHECK-LABEL: @keep_what_may_be_longer
func.func @keep_what_may_be_longer(%x: !pl.tensor<[?], f32>, %i: !pl.tensor<[?], i32>, %y: !pl.tensor<[?], f32>) {
  // CHECK: %[[T:.*]] = pl.create_tensor
  // CHECK: pl.pick %{{.*}} axis 0 into %[[T]]
  %n = pl.bind "N" %i[0] : !pl.tensor<[?], i32>
  %t = pl.create_tensor[%n] : !pl.tensor<[?], f32>
  pl.pick %x[%i] axis 0 into %t : !pl.tensor<[?], f32>, !pl.tensor<[?], i32>, !pl.tensor<[?], f32>
  %v = pl.load %t : !pl.tensor<[?], f32>
  pl.store %v, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// The target may have gaps, and is not seen in another shape then.

// CHECK-LABEL: @keep_what_is_seen_in_another_shape
func.func @keep_what_is_seen_in_another_shape(%x: !pl.tile<[?], f32>, %y: !pl.tensor<[?, 64], f32>) {
  // CHECK: %[[T:.*]] = pl.create_tensor
  // CHECK: pl.view %[[T]]
  %n = pl.bind "N" %y[0] : !pl.tensor<[?, 64], f32>
  %c64 = arith.constant 64 : index
  %all = arith.muli %n, %c64 : index
  %t = pl.create_tensor[%n, %c64] : !pl.tensor<[?, 64], f32>
  %r = pl.view %t, [%all] {aliasing} : !pl.tensor<[?, 64], f32> -> !pl.tensor<[?], f32>
  pl.store %x, %r : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  %v = pl.load %t : !pl.tensor<[?, 64], f32>
  pl.store %v, %y : !pl.tile<[?, 64], f32>, !pl.tensor<[?, 64], f32>
  return
}

// What is chosen may be the tensor, and is written later.

// CHECK-LABEL: @keep_what_is_chosen
func.func @keep_what_is_chosen(%x: !pl.tile<[?], f32>, %c: i1, %z: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  // CHECK: %[[T:.*]] = pl.create_tensor
  // CHECK: arith.select %{{.*}}, %[[T]]
  %n = pl.bind "N" %y[0], %z[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  %t = pl.create_tensor[%n] : !pl.tensor<[?], f32>
  pl.store %x, %t : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  %s = arith.select %c, %t, %z : !pl.tensor<[?], f32>
  %v = pl.load %t : !pl.tensor<[?], f32>
  pl.store %v, %y : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  pl.store %x, %s : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}
