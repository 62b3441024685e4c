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
  // CHECK:       %[[NEXT:.*]] = pl.neg %[[IN]]
  // CHECK:       pl.store %[[NEXT]], %[[MEMORY]]
  // CHECK:     %[[OUT:.*]] = pl.load %[[MEMORY]]
  // CHECK:     pl.store %[[OUT]], %{{.*}}
  %t = pl.load %x : !pl.tensor<[?], f32>
  %r = scf.for %i = %c0 to %M step %c1 iter_args(%a = %t) -> (!pl.tile<[?], f32>) {
    %n = pl.neg %a : !pl.tile<[?], f32>
    scf.yield %n : !pl.tile<[?], f32>
  }
  pl.store %r, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
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

// A tile that only shrinks stays where it is.

// CHECK-LABEL: @extents_shrink
func.func @extents_shrink(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %N = pl.bind "N" %y[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK:     %[[MEMORY:.*]] = pl.create_tensor
  // CHECK:     scf.for {{.*}} iter_args(%[[AROUND:.*]] = %[[MEMORY]])
  // CHECK:       pl.load %[[AROUND]]
  // CHECK:       %[[NEXT:.*]] = pl.slice %[[MEMORY]]
  // CHECK:       pl.store {{.*}}, %[[NEXT]]
  // CHECK:       scf.yield %[[NEXT]]
  %t = pl.load %x : !pl.tensor<[?], f32>
  %u = pl.load %y : !pl.tensor<[?], f32>
  %r = scf.for %i = %c0 to %M step %c1 iter_args(%a = %t) -> (!pl.tile<[?], f32>) {
    %n = pl.add %a, %u : !pl.tile<[?], f32>, !pl.tile<[?], f32>
    scf.yield %n : !pl.tile<[?], f32>
  }
  pl.store %r, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
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
