// RUN: tegula-opt %s --tegula-order-host-accesses --split-input-file | FileCheck %s

// All ranks read what they need to know, once it is written.
// CHECK-LABEL: func.func @read
// CHECK-DAG:     %[[ALL:.*]] = arith.constant -1
// CHECK:         pl.dispatch %[[ALL]], %arg0 [true] [false] : !pl.tensor<[?], i32>
// CHECK-NEXT:    pl.read %arg0
// CHECK-NEXT:    pl.dispatch_end
// CHECK:         scf.for
// CHECK:         pl.host_end
// CHECK-NEXT:    return
func.func @read(%counts: !pl.tensor<[?], i32>, %x: !pl.tensor<[?], f32>) attributes {pl.kind = #pl.kind<host>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = pl.read %counts[%c0] : !pl.tensor<[?], i32>
  %n = arith.index_cast %count : i32 to index
  scf.for %i = %c0 to %n step %c1 {
    %mine = pl.dispatch %i, %x [true] [true] : !pl.tensor<[?], f32>
    scf.if %mine {
      pl.dispatch_end
    }
  }
  return
}

// -----

// What the host writes, the first rank writes.
// CHECK-LABEL: func.func @write
// CHECK:         %[[FIRST:.*]] = arith.constant 0 : index
// CHECK:         %[[MINE:.*]] = pl.dispatch %[[FIRST]], %arg0 [false] [true] : !pl.tensor<[?], f32>
// CHECK-NEXT:    scf.if %[[MINE]] {
// CHECK-NEXT:      pl.write
// CHECK-NEXT:      pl.dispatch_end
// CHECK-NEXT:    }
// CHECK-NEXT:    pl.host_end
func.func @write(%x: !pl.tensor<[?], f32>, %v: f32, %i: index) attributes {pl.kind = #pl.kind<host>} {
  pl.write %v, %x[%i] : f32, !pl.tensor<[?], f32>
  return
}

// -----

// A loop in which no rank is told anything is one dispatch.
// CHECK-LABEL: func.func @whole_loop
// CHECK:         pl.dispatch %{{.*}}, %arg0, %arg1 [true, false] [false, true]
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      scf.for
// CHECK-NOT:         pl.dispatch
// CHECK:           pl.dispatch_end
func.func @whole_loop(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>, %n: index) attributes {pl.kind = #pl.kind<host>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = pl.read %x[%i] : !pl.tensor<[?], f32>
    pl.write %v, %y[%i] : f32, !pl.tensor<[?], f32>
  }
  return
}

// -----

// A loop that gives a number is run by all, and what it reads is ordered.
// CHECK-LABEL: func.func @number_of_a_loop
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK:           pl.dispatch %{{.*}}, %arg0 [true] [false]
// CHECK-NEXT:      pl.read
// CHECK-NEXT:      pl.dispatch_end
// CHECK:         pl.dispatch %{{.*}}, %arg0 [false] [true]
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      pl.write %[[SUM]]
func.func @number_of_a_loop(%x: !pl.tensor<[?], f32>, %n: index, %start: f32) attributes {pl.kind = #pl.kind<host>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> f32 {
    %v = pl.read %x[%i] : !pl.tensor<[?], f32>
    %next = arith.addf %s, %v : f32
    scf.yield %next : f32
  }
  pl.write %sum, %x[%c0] : f32, !pl.tensor<[?], f32>
  return
}

// -----

// Ranks are told what to do in one order.
// CHECK-LABEL: func.func @one_order
// CHECK-NOT:     pl.parallel
// CHECK:         scf.for %[[R:.*]] = %c0 to %arg1 step %c1 {
// CHECK-NEXT:      pl.dispatch %[[R]], %arg0 [true] [true]
// CHECK-NEXT:      scf.if
func.func @one_order(%x: !pl.tensor<[?], f32>, %n: index) attributes {pl.kind = #pl.kind<host>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %r = %c0 to %n step %c1 independent {
    %mine = pl.dispatch %r, %x [true] [true] : !pl.tensor<[?], f32>
    scf.if %mine {
      pl.dispatch_end
    }
  }
  return
}

// -----

// Windows are each rank's own; a tensor that the host makes is one for all.
// CHECK-LABEL: func.func @windows
// CHECK-NOT:     pl.dispatch
// CHECK:         pl.create_tensor{{.*}} {pl.shared}
// CHECK:         pl.write
// CHECK-NOT:     pl.dispatch
// CHECK:         pl.host_end
func.func @windows(%n: index, %v: f32) attributes {pl.kind = #pl.kind<host>} {
  %c0 = arith.constant 0 : index
  %w = pl.alloc_window %n : !pl.tensor<[?], ui8>
  %f = pl.retype %w, [%n] : !pl.tensor<[?], ui8> -> !pl.tensor<[?], f32>
  %t = pl.create_tensor[%n] : !pl.tensor<[?], f32>
  pl.write %v, %f[%c0] : f32, !pl.tensor<[?], f32>
  return
}

// -----

// Other functions do what they say.
// CHECK-LABEL: func.func @kernel
// CHECK-NOT:     pl.dispatch
// CHECK-NOT:     pl.host_end
// CHECK:         return
func.func @kernel(%x: !pl.tensor<[?], f32>, %v: f32, %i: index) attributes {pl.kind = #pl.kind<entry>} {
  pl.write %v, %x[%i] : f32, !pl.tensor<[?], f32>
  return
}

// -----

// A window is each rank's own, one that the caller gives as well.
// CHECK-LABEL: func.func @window
// CHECK-NOT:     pl.dispatch
// CHECK:         pl.write
// CHECK-NOT:     pl.dispatch
// CHECK:         pl.host_end
func.func @window(%w: !pl.tensor<[?], f32> {pl.window}, %v: f32, %i: index) attributes {pl.kind = #pl.kind<host>} {
  pl.write %v, %w[%i] : f32, !pl.tensor<[?], f32>
  return
}
