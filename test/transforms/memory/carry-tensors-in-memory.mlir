// RUN: tegula-opt %s --tegula-carry-tensors-in-memory --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @carried
func.func @carried(%x: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK:     %[[INIT:.*]] = pl.load
  // CHECK:     %[[MEMORY:.*]] = pl.create_tensor[%M]
  // CHECK:     pl.store %[[INIT]], %[[MEMORY]]
  // CHECK:     scf.for
  // CHECK:       %[[IN:.*]] = pl.load %[[MEMORY]]
  // CHECK:       %[[NEXT:.*]] = pl.neg
  // CHECK:       pl.store %[[NEXT]], %[[MEMORY]]
  // CHECK:     %[[OUT:.*]] = pl.load %[[MEMORY]]
  %t = pl.load %x : !pl.tensor<[?], f32>
  %r = scf.for %i = %c0 to %M step %c1 iter_args(%v = %t) -> (!pl.tile<[?], f32>) {
    %a = pl.with_extents %v [%M] : !pl.tile<[?], f32>
    %n = pl.neg %a : !pl.tile<[?], f32>
    scf.yield %n : !pl.tile<[?], f32>
  }
  %s = pl.with_extents %r [%M] : !pl.tile<[?], f32>
  pl.store %s, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// -----

// Bounded tiles are carried as they are.

// CHECK-LABEL: @keep_bounded
func.func @keep_bounded(%t: !pl.tile<[upto 8], f32>, %n: index) -> !pl.tile<[upto 8], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: pl.create_tensor
  // CHECK:     scf.for {{.*}} iter_args
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (!pl.tile<[upto 8], f32>) {
    %m = pl.neg %a : !pl.tile<[upto 8], f32>
    scf.yield %m : !pl.tile<[upto 8], f32>
  }
  return %r : !pl.tile<[upto 8], f32>
}

// -----

// A tile that grows goes around in memory of its own.

// CHECK-LABEL: @extents_change
func.func @extents_change(%x: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK:     %[[FIRST:.*]] = pl.create_tensor
  // CHECK:     %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[AROUND:.*]] = %[[FIRST]])
  // CHECK:       pl.load %[[AROUND]]
  // CHECK:       %[[NEXT:.*]] = pl.create_tensor
  // CHECK:       pl.store {{.*}}, %[[NEXT]]
  // CHECK:       scf.yield %[[NEXT]]
  // CHECK:     pl.load %[[LAST]]
  %t = pl.load %x : !pl.tensor<[?], f32>
  %r = scf.for %i = %c0 to %M step %c1 iter_args(%a = %t) -> (!pl.tile<[?], f32>) {
    %n = pl.concat %a, %t axis 0 : !pl.tile<[?], f32>, !pl.tile<[?], f32>
    scf.yield %n : !pl.tile<[?], f32>
  }
  pl.store %r, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// -----

// What shrinks, and what gets its value from it, is never longer than both were
// at first.

// CHECK-LABEL: @extents_shrink
func.func @extents_shrink(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %N = pl.bind "N" %y[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[MOST:.*]] = arith.maxsi %M, %N
  // CHECK-DAG: %[[A:.*]] = pl.create_tensor[%[[MOST]]]
  // CHECK:     %[[B:.*]] = pl.create_tensor[%N]
  // CHECK:     scf.for
  // CHECK:       pl.slice %[[B]]
  // CHECK:       pl.slice %[[A]]
  // CHECK:       pl.store {{.*}}, %[[A]]
  // CHECK:       pl.store {{.*}}, %[[B]]
  %t = pl.load %x : !pl.tensor<[?], f32>
  %u = pl.load %y : !pl.tensor<[?], f32>
  %r:4 = scf.for %i = %c0 to %M step %c1 iter_args(%va = %t, %vb = %u, %m = %M, %n = %N)
      -> (!pl.tile<[?], f32>, !pl.tile<[?], f32>, index, index) {
    %a = pl.with_extents %va [%m] : !pl.tile<[?], f32>
    %b = pl.with_extents %vb [%n] : !pl.tile<[?], f32>
    %less = arith.subi %n, %c1 : index
    %left = arith.maxsi %less, %c0 : index
    %w = pl.window %b[%c0] [%left] : !pl.tile<[?], f32> -> !pl.tile<[?], f32>
    scf.yield %b, %w, %n, %left : !pl.tile<[?], f32>, !pl.tile<[?], f32>, index, index
  }
  %s = pl.with_extents %r#0 [%r#2] : !pl.tile<[?], f32>
  %v = pl.with_extents %r#1 [%r#3] : !pl.tile<[?], f32>
  pl.store %s, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  pl.store %v, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// -----

// How long what a loop gives is, is known before it if the loop inside gives no
// more than it gets.

// CHECK-LABEL: @extents_shrink_in_a_nest
func.func @extents_shrink_in_a_nest(%x: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK:     pl.create_tensor[%M]
  // CHECK:     scf.for
  // CHECK:       pl.create_tensor
  // CHECK:       scf.for
  // CHECK-NOT:     pl.create_tensor
  %t = pl.load %x : !pl.tensor<[?], f32>
  %r:2 = scf.for %i = %c0 to %M step %c1 iter_args(%va = %t, %m = %M) -> (!pl.tile<[?], f32>, index) {
    %a = pl.with_extents %va [%m] : !pl.tile<[?], f32>
    %q:2 = scf.for %j = %c0 to %M step %c1 iter_args(%vb = %a, %n = %m) -> (!pl.tile<[?], f32>, index) {
      %b = pl.with_extents %vb [%n] : !pl.tile<[?], f32>
      %less = arith.subi %n, %c1 : index
      %left = arith.maxsi %less, %c0 : index
      %w = pl.window %b[%c0] [%left] : !pl.tile<[?], f32> -> !pl.tile<[?], f32>
      scf.yield %w, %left : !pl.tile<[?], f32>, index
    }
    %p = pl.with_extents %q#0 [%q#1] : !pl.tile<[?], f32>
    scf.yield %p, %q#1 : !pl.tile<[?], f32>, index
  }
  %s = pl.with_extents %r#0 [%r#1] : !pl.tile<[?], f32>
  pl.store %s, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// -----

// Branches may leave tiles of different extents.

// CHECK-LABEL: @extents_of_branches
func.func @extents_of_branches(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>, %c: i1) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %N = pl.bind "N" %y[0] : !pl.tensor<[?], f32>
  // CHECK:     %[[CHOSEN:.*]] = scf.if
  // CHECK:       %[[A:.*]] = pl.create_tensor
  // CHECK:       scf.yield %[[A]]
  // CHECK:       %[[B:.*]] = pl.create_tensor
  // CHECK:       scf.yield %[[B]]
  // CHECK:     pl.load %[[CHOSEN]]
  %r = scf.if %c -> (!pl.tile<[?], f32>) {
    %t = pl.load %x : !pl.tensor<[?], f32>
    scf.yield %t : !pl.tile<[?], f32>
  } else {
    %t = pl.load %y : !pl.tensor<[?], f32>
    scf.yield %t : !pl.tile<[?], f32>
  }
  pl.store %r, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}

// -----

// A branch that only chooses may have become a select.

// CHECK-LABEL: @selected
func.func @selected(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>, %c: i1) {
  %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  // CHECK:     %[[MEMORY:.*]] = pl.create_tensor[%M]
  // CHECK:     scf.if
  // CHECK:       pl.store {{.*}}, %[[MEMORY]]
  // CHECK:     } else {
  // CHECK:       pl.store {{.*}}, %[[MEMORY]]
  %t = pl.load %x : !pl.tensor<[?], f32>
  %u = pl.load %y : !pl.tensor<[?], f32>
  %r = arith.select %c, %t, %u : !pl.tile<[?], f32>
  %s = pl.with_extents %r [%M] : !pl.tile<[?], f32>
  pl.store %s, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}
