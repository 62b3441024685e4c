// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-prove-parallel=atomic-sums=true | FileCheck %s
// RUN: tegula-opt %s --tegula-prove-parallel | FileCheck %s --check-prefix=PLAIN

!i = !pl.tensor<[?], i32>
!s = !pl.tensor<[?], i16>
!f = !pl.tensor<[?], f32>
!iw = !pl.tensor<[upto 8], i32>

// Scatter-add of integers may run in parallel where instructions add them; elsewhere iterations go in order.
// CHECK-LABEL: @integers
// CHECK: pl.parallel {{.*}} independent
// PLAIN-LABEL: @integers
// PLAIN: pl.parallel
// PLAIN-NOT: independent
func.func @integers(%y: !i, %x: !i, %at: !i, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %n step %c8 {
    %v = pl.slice %x[%i] [%c8] : !i -> !iw
    %w = pl.slice %at[%i] [%c8] : !i -> !iw
    pl.put %v into %y[%w] axis 0 add : !iw, !i, !iw
  }
  return
}

// Not those of floats, of few bits, without a sum, or where the sums are read.
// CHECK-LABEL: @others
// CHECK-NOT: independent
func.func @others(%y: !i, %z: !s, %f: !f, %x: !i, %a: !s, %b: !f, %at: !i, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %n step %c8 {
    pl.put %b into %f[%at] axis 0 add : !f, !f, !i
  }
  pl.parallel %i = %c0 to %n step %c8 {
    pl.put %a into %z[%at] axis 0 add : !s, !s, !i
  }
  pl.parallel %i = %c0 to %n step %c8 {
    pl.put %x into %y[%at] axis 0 : !i, !i, !i
  }
  pl.parallel %i = %c0 to %n step %c8 {
    pl.put %y into %y[%at] axis 0 add : !i, !i, !i
  }
  pl.parallel %i = %c0 to %n step %c8 {
    pl.put %x into %y[%at] axis 0 add : !i, !i, !i
    %v = pl.slice %y[%i] [%c8] : !i -> !iw
    %w = pl.slice %x[%i] [%c8] : !i -> !iw
    %t = pl.load %v : !iw
    pl.store %t, %w : !pl.tile<[upto 8], i32>, !iw
  }
  return
}
