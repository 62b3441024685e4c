// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s
// The ops of programs over ranks survive printing and parsing, pretty and generic.

// CHECK-LABEL: @windows
func.func @windows(%n: index) {
  %c2 = arith.constant 2 : index
  // CHECK: %[[ME:.*]] = pl.rank
  %me = pl.rank
  // CHECK: pl.rank_count
  %count = pl.rank_count
  // CHECK: %[[BYTES:.*]] = pl.alloc_window %{{.*}} : <[?], ui8>
  %bytes = pl.alloc_window %n : !pl.tensor<[?], ui8>
  // CHECK: %[[W:.*]] = pl.retype %[[BYTES]], [%{{.*}}, %{{.*}}] : <[?], ui8> -> <[?, 2], f32>
  %w = pl.retype %bytes, [%n, %c2] : !pl.tensor<[?], ui8> -> !pl.tensor<[?, 2], f32>
  // CHECK: pl.peer read %[[W]] at %[[ME]] : <[?, 2], f32>
  %r = pl.peer read %w at %me : !pl.tensor<[?, 2], f32>
  // CHECK: %[[V:.*]] = pl.peer write %[[W]] at
  %v = pl.peer write %w at %me : !pl.tensor<[?, 2], f32>
  // CHECK: pl.peer_end %[[V]] : <[?, 2], f32>
  pl.peer_end %v : !pl.tensor<[?, 2], f32>
  // CHECK: %[[U:.*]] = pl.peer update %[[W]] at
  %u = pl.peer update %w at %me : !pl.tensor<[?, 2], f32>
  // CHECK: pl.peer_end %[[U]]
  pl.peer_end %u : !pl.tensor<[?, 2], f32>
  return
}

// CHECK-LABEL: @signals
func.func @signals(%s: !pl.tensor<[?, 1], i32>, %i: index, %r: index) {
  // CHECK: pl.notify add %{{.*}}[%[[I:.*]], %[[I]]] at %[[R:.*]], %[[I]] : <[?, 1], i32>
  pl.notify add %s[%i, %i] at %r, %i : !pl.tensor<[?, 1], i32>
  // CHECK: pl.notify set %{{.*}}[%[[I]], %[[I]]] at %[[R]], %[[I]]
  pl.notify set %s[%i, %i] at %r, %i : !pl.tensor<[?, 1], i32>
  // CHECK: pl.wait eq %{{.*}}[%[[I]], %[[I]]], %[[R]] : <[?, 1], i32>
  pl.wait eq %s[%i, %i], %r : !pl.tensor<[?, 1], i32>
  // CHECK: pl.wait ge %{{.*}}[%[[I]], %[[I]]], %[[R]]
  pl.wait ge %s[%i, %i], %r : !pl.tensor<[?, 1], i32>
  // CHECK: pl.wait ge deferred %{{.*}}[%[[I]], %[[I]]], %[[R]]
  pl.wait ge deferred %s[%i, %i], %r : !pl.tensor<[?, 1], i32>
  // CHECK: pl.callback "look"(%{{.*}}) : !pl.tensor<[?, 1], i32>
  pl.callback "look"(%s) : !pl.tensor<[?, 1], i32>
  // CHECK: pl.meet "a step"[]
  pl.meet "a step" []
  // CHECK: pl.meet "allreduce"[%[[I]], %[[R]]]
  pl.meet "allreduce" [%i, %r]
  return
}

// CHECK-LABEL: @dispatches
func.func @dispatches(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[4], i32>, %r: index) {
  // CHECK: %[[MINE:.*]] = pl.dispatch %{{.*}}, %{{.*}}, %{{.*}} [true, false] [false, true] : !pl.tensor<[?], f32>, !pl.tensor<[4], i32>
  %mine = pl.dispatch %r, %x, %y [true, false] [false, true] : !pl.tensor<[?], f32>, !pl.tensor<[4], i32>
  // CHECK: scf.if %[[MINE]]
  scf.if %mine {
    // CHECK: pl.dispatch_end
    pl.dispatch_end
  }
  // CHECK: pl.create_tensor{{.*}} {pl.shared}
  %t = pl.create_tensor[%r] {pl.shared} : !pl.tensor<[?], f32>
  // CHECK: pl.host_end
  pl.host_end
  return
}
