// RUN: tegula-opt %s --tegula-assign-cores --tegula-verify-placement --split-input-file | FileCheck %s
// Every op on tiles gets into exactly one core region.

// Ops that follow each other go together, a loop in order with them; numbers
// stay outside, and a parallel loop does, too.
// CHECK-LABEL: @around
// CHECK:         arith.addi
// CHECK-NEXT:    pl.at core_group {
// CHECK:           pl.load
// CHECK:           scf.for
// CHECK:             pl.store
// CHECK:         pl.parallel
// CHECK-NEXT:      pl.at core_group {
// CHECK-NEXT:        pl.load
func.func @around(%x: !pl.tensor<[8], f32>, %y: !pl.tensor<[8], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = pl.load %x : !pl.tensor<[8], f32>
  %m = arith.addi %n, %c1 : index
  scf.for %i = %c0 to %m step %c1 {
    pl.store %t, %y : !pl.tile<[8], f32>, !pl.tensor<[8], f32>
  }
  pl.parallel %i = %c0 to %n step %c1 {
    %u = pl.load %x : !pl.tensor<[8], f32>
    pl.store %u, %y : !pl.tile<[8], f32>, !pl.tensor<[8], f32>
  }
  return
}

// -----

// What the author placed stays; a region inside another one is dissolved, and
// one of another level holds core regions.
// CHECK-LABEL: @placed
// CHECK:         pl.at host {
// CHECK-NEXT:      pl.at aiv {
// CHECK-NEXT:        pl.load
// CHECK-NEXT:        pl.store
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @placed(%x: !pl.tensor<[8], f32>, %y: !pl.tensor<[8], f32>) {
  pl.at host {
    pl.at aiv {
      %t = pl.at core_group -> !pl.tile<[8], f32> {
        %u = pl.load %x : !pl.tensor<[8], f32>
        pl.yield %u : !pl.tile<[8], f32>
      }
      pl.store %t, %y : !pl.tile<[8], f32>, !pl.tensor<[8], f32>
    }
  }
  return
}

// -----

// What goes around a loop as a tile, or is decided by one, is handed out.
// CHECK-LABEL: @handed_out
// CHECK:         %[[R:.*]] = pl.at core_group -> f32 {
// CHECK:           %[[S:.*]] = pl.read
// CHECK:           pl.yield %[[S]] : f32
// CHECK:         pl.write %[[R]]
func.func @handed_out(%x: !pl.tensor<[8], f32>, %y: !pl.tensor<[8], f32>, %i: index) {
  %t = pl.load %x : !pl.tensor<[8], f32>
  %s = pl.read %t[%i] : !pl.tile<[8], f32>
  pl.write %s, %y[%i] : f32, !pl.tensor<[8], f32>
  return
}
