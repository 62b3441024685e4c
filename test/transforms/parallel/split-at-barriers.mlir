// RUN: tegula-opt %s --tegula-split-at-barriers --canonicalize -verify-diagnostics --split-input-file | FileCheck %s
// The body of a grid is divided where its blocks wait for each other.

// A number that follows from the block is computed again.
// CHECK-LABEL: @numbers
// CHECK:         pl.parallel grid %[[B:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[I:.*]] = arith.muli %[[B]]
// CHECK:           pl.write %{{.*}}, %{{.*}}[%[[I]]]
// CHECK:         pl.parallel grid %[[C:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:      %[[J:.*]] = arith.muli %[[C]]
// CHECK-NEXT:      pl.read %{{.*}}[%[[J]]]
// CHECK-NOT:     pl.barrier
func.func @numbers(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>, %n: index, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  pl.parallel grid %b = %c0 to %n step %c1 {
    %i = arith.muli %b, %c4 : index
    pl.write %s, %x[%i] : f32, !pl.tensor<[?], f32>
    pl.barrier grid
    %t = pl.read %x[%i] : !pl.tensor<[?], f32>
    pl.write %t, %y[%b] : f32, !pl.tensor<[?], f32>
  }
  return
}

// -----

// A tile is kept, for each block.
// CHECK-LABEL: @tiles
// CHECK:         %[[KEPT:.*]] = pl.create_tensor[%{{.*}}, %{{.*}}] : <[?, 8], f32>
// CHECK:         pl.parallel grid %[[B:.*]] =
// CHECK:           %[[T:.*]] = pl.exp
// CHECK:           %[[PART:.*]] = pl.slice %[[KEPT]][%[[B]], %{{.*}}] {{.*}} drop [0]
// CHECK:           pl.store %[[T]], %[[PART]]
// CHECK:         pl.parallel grid %[[C:.*]] =
// CHECK:           %[[AGAIN:.*]] = pl.slice %[[KEPT]][%[[C]], %{{.*}}] {{.*}} drop [0]
// CHECK:           pl.load %[[AGAIN]]
func.func @tiles(%x: !pl.tensor<[8], f32>, %y: !pl.tensor<[?, 8], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel grid %b = %c0 to %n step %c1 {
    %l = pl.load %x : !pl.tensor<[8], f32>
    %t = pl.exp %l : !pl.tile<[8], f32>
    pl.barrier grid
    %v = pl.slice %y[%b, %c0] [%c1, %c8] drop [0] : !pl.tensor<[?, 8], f32> -> !pl.tensor<[8], f32>
    pl.store %t, %v : !pl.tile<[8], f32>, !pl.tensor<[8], f32>
  }
  return
}

// -----

// A loop that all blocks run equally often comes to stand around the grids; its
// values go around in memory.
// CHECK-LABEL: @around
// CHECK:         pl.parallel grid
// CHECK:           pl.write
// CHECK:         scf.for
// CHECK:           pl.parallel grid
// CHECK:           pl.parallel grid
// CHECK:         pl.parallel grid
func.func @around(%x: !pl.tensor<[?], f32>, %n: index, %k: index, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel grid %b = %c0 to %n step %c1 {
    %r = scf.for %i = %c0 to %k step %c1 iter_args(%a = %s) -> f32 {
      pl.write %a, %x[%b] : f32, !pl.tensor<[?], f32>
      pl.barrier grid
      %next = pl.read %x[%i] : !pl.tensor<[?], f32>
      scf.yield %next : f32
    }
    pl.write %r, %x[%b] : f32, !pl.tensor<[?], f32>
  }
  return
}

// -----

// CHECK-LABEL: @nobody_to_wait_for
// CHECK-NEXT:    return
func.func @nobody_to_wait_for() {
  pl.barrier grid
  pl.barrier lanes
  return
}

// -----

func.func @other_branches(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel grid %b = %c0 to %n step %c1 {
    %is_first = arith.cmpi eq, %b, %c0 : index
    // expected-error @below {{needs blocks that all take the same branch; the condition depends on the block}}
    scf.if %is_first {
      pl.barrier grid
    }
  }
  return
}

// -----

func.func @other_iterations(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel grid %b = %c0 to %n step %c1 {
    // expected-error @below {{needs blocks that all run it equally often; its bounds depend on the block}}
    scf.for %i = %c0 to %b step %c1 {
      pl.barrier grid
    }
  }
  return
}

// -----

func.func @parallel_inside(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel grid %b = %c0 to %n step %c1 {
    // expected-error @below {{cannot stand in a parallel loop inside a block}}
    pl.parallel %i = %c0 to %k step %c1 {
      pl.barrier grid
    }
  }
  return
}

// -----

func.func @left_early(%n: index, %k: index, %f: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel grid %b = %c0 to %n step %c1 {
    // expected-error @below {{a barrier cannot stand in a 'while', nor in a loop with 'break' or 'return': blocks would leave it at different times}}
    scf.while : () -> () {
      scf.condition(%f)
    } do {
      pl.barrier grid
      scf.yield
    }
  }
  return
}

// -----

func.func @lanes_are_called_lanes(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  pl.parallel lanes %lane = %c0 to %c2 step %c1 {
    %is_first = arith.cmpi eq, %lane, %c0 : index
    // expected-error @below {{needs lanes that all take the same branch; the condition depends on the lane}}
    scf.if %is_first {
      pl.barrier lanes
    }
  }
  return
}
