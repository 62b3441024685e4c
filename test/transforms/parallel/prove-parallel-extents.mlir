// RUN: tegula-opt %s --tegula-prove-parallel --verify-diagnostics | FileCheck %s

!x = !pl.tensor<[?], f32>
!w = !pl.tensor<[upto 8], f32>

// What says how long a window is does not say where it begins.

// CHECK-LABEL: @moved_back_and_forth
func.func @moved_back_and_forth(%x: !x, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK:     pl.parallel
  // CHECK-NOT: independent
  // expected-remark @+1 {{runs in order}}
  pl.parallel %i = %c0 to %c8 step %c1 {
    %from = arith.subi %c8, %i : index
    %v = pl.slice %x[%from] [%c8] : !x -> !w
    %e = pl.dim %v[0] : !w
    %s = pl.with_extents %v[%e] : !w
    // expected-note @+1 {{windows are not known to be as far apart}}
    pl.write %f, %s[%i] : f32, !w
  }
  return
}

// CHECK-LABEL: @own_windows
func.func @own_windows(%x: !x, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // CHECK:     pl.parallel {{.*}} independent {
  pl.parallel %i = %c0 to %n step %c8 {
    %v = pl.slice %x[%i] [%c8] : !x -> !w
    %e = pl.dim %v[0] : !w
    %s = pl.with_extents %v[%e] : !w
    pl.write %f, %s[%c0] : f32, !w
  }
  return
}
