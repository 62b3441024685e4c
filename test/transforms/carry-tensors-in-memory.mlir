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

func.func @extents_change(%x: !pl.tensor<[?], f32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.load %x : !pl.tensor<[?], f32>
  // expected-error @+1 {{a value that crosses this statement has extents that are not known before it}}
  %r = scf.for %i = %c0 to %M step %c1 iter_args(%a = %t) -> (!pl.tile<[?], f32>) {
    %n = pl.concat %a, %t axis 0 : !pl.tile<[?], f32>, !pl.tile<[?], f32>
    scf.yield %n : !pl.tile<[?], f32>
  }
  pl.store %r, %x : !pl.tile<[?], f32>, !pl.tensor<[?], f32>
  return
}
