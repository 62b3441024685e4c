// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --canonicalize --cse --split-input-file | FileCheck %s

// Who runs this.
// CHECK-LABEL: func.func @numbers
// CHECK:         llvm.call @tegulaRank() : () -> i64
// CHECK:         llvm.call @tegulaRankCount() : () -> i64
func.func @numbers(%y: !pl.tensor<[2], i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = pl.rank
  %a = arith.index_cast %rank : index to i64
  pl.write %a, %y[%c0] : i64, !pl.tensor<[2], i64>
  %count = pl.rank_count
  %b = arith.index_cast %count : index to i64
  pl.write %b, %y[%c1] : i64, !pl.tensor<[2], i64>
  return
}

// -----

// A tensor in a window fits, or the call is told.
// CHECK-LABEL: func.func @window
// CHECK:         llvm.call @tegulaWindowAllocate
// CHECK:         arith.cmpi ule
// CHECK:         scf.if
func.func @window(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %bytes = pl.alloc_window %n : !pl.tensor<[?], ui8>
  %w = pl.retype %bytes, [%n] : !pl.tensor<[?], ui8> -> !pl.tensor<[?], f32>
  pl.write %v, %w[%c0] : f32, !pl.tensor<[?], f32>
  return
}

// -----

// What is read needs no end; what is written has both.
// CHECK-LABEL: func.func @peers
// CHECK:         %[[READ:.*]] = llvm.call @tegulaPeerBegin({{.*}}%c0_i32
// CHECK:         %[[WRITE:.*]] = llvm.call @tegulaPeerBegin({{.*}}%c1_i32
// CHECK:         llvm.call @tegulaPeerEnd({{.*}}%c1_i32
// CHECK-NOT:     llvm.call @tegulaPeerEnd
// CHECK:         return
func.func @peers(%x: !pl.tensor<[4], f32>, %r: index) {
  %from = pl.peer read %x at %r : !pl.tensor<[4], f32>
  %t = pl.load %from : !pl.tensor<[4], f32>
  %n = pl.neg %t : !pl.tile<[4], f32>
  %to = pl.peer write %x at %r : !pl.tensor<[4], f32>
  pl.store %n, %to : !pl.tile<[4], f32>, !pl.tensor<[4], f32>
  pl.peer_end %to : !pl.tensor<[4], f32>
  return
}

// -----

// A signal outside of its window is no signal.
// CHECK-LABEL: func.func @signals
// CHECK:         %[[PLACE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr
// CHECK:         llvm.call @tegulaNotify(%[[PLACE]], {{.*}}, %c1_i32
// CHECK:         llvm.call @tegulaWait({{.*}}, %c0_i32
// CHECK:         %[[HASH:.*]] = arith.xori
// CHECK:         llvm.call @tegulaMeet(%[[HASH]]
func.func @signals(%s: !pl.tensor<[?], i32>, %i: index, %r: index, %v: index) {
  pl.notify set %s[%i] at %r, %v : !pl.tensor<[?], i32>
  pl.wait eq %s[%i], %v : !pl.tensor<[?], i32>
  pl.meet "a step" [%v]
  return
}

// -----

// CHECK-LABEL: func.func @dispatch
// CHECK:         llvm.call @tegulaSharedAllocate
// CHECK:         %[[MINE:.*]] = llvm.call @tegulaDispatchBegin
// CHECK:         arith.cmpi ne, %[[MINE]]
// CHECK:         scf.if
// CHECK:           llvm.call @tegulaDispatchEnd
// CHECK:         llvm.call @tegulaHostEnd
func.func @dispatch(%x: !pl.tensor<[?], f32>, %r: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %t = pl.create_tensor[%r] {pl.shared} : !pl.tensor<[?], f32>
  %mine = pl.dispatch %r, %x, %t [true, false] [false, true] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  scf.if %mine {
    pl.write %v, %t[%c0] : f32, !pl.tensor<[?], f32>
    pl.dispatch_end
  }
  pl.host_end
  return
}
