// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-serialize-in-place-reductions --tegula-prove-parallel --verify-diagnostics | FileCheck %s

!i = !pl.tensor<[?], i32>
!iw = !pl.tensor<[upto 8], i32>
!it = !pl.tile<[upto 8], i32>
!f = !pl.tensor<[?], f32>
!fw = !pl.tensor<[upto 8], f32>
!ft = !pl.tile<[upto 8], f32>

// In-place reductions of integers may overlap, one after the other.
// CHECK-LABEL: @integers
// CHECK: pl.parallel {{.*}} independent
// CHECK: pl.load {{.*}}pl.locked
// CHECK: pl.store {{.*}}pl.locked
func.func @integers(%y: !i, %x: !i, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %n step %c1 {
    %v = pl.slice %x[%i] [%c8] : !i -> !iw
    %t = pl.load %v : !iw
    %w = pl.slice %y[%at] [%c8] : !i -> !iw
    %old = pl.load %w {pl.atomic} : !iw
    %new = pl.add %old, %t : !it, !it
    pl.store %new, %w {pl.atomic} : !it, !iw
  }
  return
}

// Sums that are apart wait for nobody.
// CHECK-LABEL: @apart
// CHECK: pl.parallel {{.*}} independent
// CHECK-NOT: pl.locked
func.func @apart(%y: !i, %x: !i, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %n step %c8 {
    %v = pl.slice %x[%i] [%c8] : !i -> !iw
    %t = pl.load %v : !iw
    %w = pl.slice %y[%i] [%c8] : !i -> !iw
    %old = pl.load %w {pl.atomic} : !iw
    %new = pl.add %old, %t : !it, !it
    pl.store %new, %w {pl.atomic} : !it, !iw
  }
  return
}

// Rounding depends on the order, unless the author gives that up.
// CHECK-LABEL: @floats
// CHECK: pl.parallel
// CHECK-NOT: independent
// CHECK: pl.parallel {{.*}} independent
// CHECK: pl.load {{.*}}pl.locked
// CHECK: pl.store {{.*}}pl.locked
func.func @floats(%y: !f, %t: !ft, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %w = pl.slice %y[%at] [%c8] : !f -> !fw
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %n step %c1 {
    %old = pl.load %w {pl.atomic} : !fw
    %new = pl.add %old, %t : !ft, !ft
    // expected-note @+1 {{in a sum whose rounding depends on the order}}
    pl.store %new, %w {pl.atomic} : !ft, !fw
  }
  pl.parallel %i = %c0 to %n step %c1 independent {
    %old = pl.load %w {pl.atomic} : !fw
    %new = pl.add %old, %t : !ft, !ft
    pl.store %new, %w {pl.atomic} : !ft, !fw
  }
  return
}

// Threads take longer to agree than one element takes to add.
// CHECK-LABEL: @single_elements
// CHECK-NOT: independent
func.func @single_elements(%y: !i, %s: i32, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %n step %c1 independent {
    %old = pl.read %y[%at] {pl.atomic} : !i
    %new = pl.add %old, %s : i32, i32
    // expected-note @+1 {{in a sum of single elements}}
    pl.write %new, %y[%at] {pl.atomic} : i32, !i
  }
  return
}

// What others read there, or what is read for more than the sum, is no sum.
// CHECK-LABEL: @read_as_well
// CHECK-NOT: independent
// CHECK-NOT: pl.locked
func.func @read_as_well(%y: !i, %z: !i, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %w = pl.slice %y[%at] [%c8] : !i -> !iw
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %n step %c1 {
    %v = pl.slice %y[%i] [%c8] : !i -> !iw
    %t = pl.load %v : !iw
    %old = pl.load %w {pl.atomic} : !iw
    %new = pl.add %old, %t : !it, !it
    // expected-note @+1 {{written here}}
    pl.store %new, %w {pl.atomic} : !it, !iw
  }
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %n step %c1 {
    %old = pl.load %w {pl.atomic} : !iw
    %new = pl.add %old, %old : !it, !it
    // expected-note @+1 {{written here}}
    pl.store %new, %w {pl.atomic} : !it, !iw
  }
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %n step %c8 {
    %v = pl.slice %z[%i] [%c8] : !i -> !iw
    %t = pl.load %v : !iw
    %old = pl.load %w {pl.atomic} : !iw
    %new = pl.add %old, %t : !it, !it
    pl.store %old, %v : !it, !iw
    // expected-note @+1 {{written here}}
    pl.store %new, %w {pl.atomic} : !it, !iw
  }
  return
}
