// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --mlir-disable-threading --tegula-print-plan -o /dev/null | FileCheck %s

!t = !pl.tile<[64], f32>
!p = !pl.tile<[upto 64], f32>

// A part of what loops carry is replaced where it lies, in all of them.
// CHECK-LABEL: plan of @sum_in_loops
// CHECK-NEXT:   frame of func.func, 256 bytes of scratchpad
// CHECK-NEXT:     scratchpad at 0: 256 bytes of f32
func.func @sum_in_loops(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %a = pl.full %zero, [%c64] : f32 -> !t
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (!t) {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%u = %s) -> (!t) {
      %v = pl.slice %x[%j] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
      %l = pl.load %v : !pl.tensor<[upto 64], f32>
      %e = pl.dim %l[0] : !p
      %w = pl.window %u[%c0] [%e] : !t -> !p
      %b = pl.add %w, %l : !p, !p
      %m = pl.insert %b, %u[%c0] : !p, !t
      %x2 = pl.window %m[%c1] [%e] : !t -> !p
      %b2 = pl.add %x2, %l : !p, !p
      %m2 = pl.insert %b2, %m[%c1] : !p, !t
      scf.yield %m2 : !t
    }
    scf.yield %q : !t
  }
  pl.store %r, %y : !t, !pl.tensor<[64], f32>
  return
}

// What is read at another index than it is put is still needed.
// CHECK-LABEL: plan of @read_elsewhere
// CHECK-NEXT:   frame of func.func, 512 bytes of scratchpad
func.func @read_elsewhere(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.load %x : !pl.tensor<[64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (!t) {
    %w = pl.window %s[%c0] [%i] : !t -> !p
    %m = pl.insert %w, %s[%c1] : !p, !t
    scf.yield %m : !t
  }
  pl.store %r, %y : !t, !pl.tensor<[64], f32>
  return
}

// What is read afterwards is kept.
// CHECK-LABEL: plan of @read_later
// CHECK-NEXT:   frame of func.func, 512 bytes of scratchpad
func.func @read_later(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %a = pl.load %x : !pl.tensor<[64], f32>
  %e = pl.exp %a : !t
  pl.store %e, %x : !t, !pl.tensor<[64], f32>
  %w = pl.window %e[%c0] [%n] : !t -> !p
  %b = pl.neg %w : !p
  %m = pl.insert %b, %e[%c0] : !p, !t
  pl.store %m, %y : !t, !pl.tensor<[64], f32>
  pl.store %e, %x : !t, !pl.tensor<[64], f32>
  return
}

// What a loop starts from is kept if something reads it afterwards.
// CHECK-LABEL: plan of @start_read_later
// CHECK-NEXT:   frame of func.func, 512 bytes of scratchpad
func.func @start_read_later(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.load %x : !pl.tensor<[64], f32>
  %e = pl.exp %a : !t
  pl.store %e, %y : !t, !pl.tensor<[64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %e) -> (!t) {
    %b = pl.exp %s : !t
    scf.yield %b : !t
  }
  pl.store %r, %x : !t, !pl.tensor<[64], f32>
  pl.store %e, %y : !t, !pl.tensor<[64], f32>
  return
}

// What is put into a tile from before the loop is put into a copy.
// CHECK-LABEL: plan of @keep_target_from_outside
// CHECK-NEXT:   frame of func.func, 256 bytes of scratchpad
func.func @keep_target_from_outside(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pl.load %x : !pl.tensor<[64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (!t) {
    %w = pl.window %a[%c0] [%i] : !t -> !p
    %m = pl.insert %w, %a[%c1] : !p, !t
    scf.yield %m : !t
  }
  pl.store %r, %y : !t, !pl.tensor<[64], f32>
  return
}
