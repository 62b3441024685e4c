// RUN: tegula-opt %s --tegula-serialize-in-place-reductions --verify-diagnostics | FileCheck %s

!v = !pl.tensor<[?], f32>

// CHECK-LABEL: @sums
func.func @sums(%y: !v, %f: f32, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: pl.parallel
  // CHECK-NOT: independent
  // CHECK: } {pl.said}
  pl.parallel %i = %c0 to %n step %c1 independent {
    %old = pl.read %y[%at] {pl.atomic} : !v
    %new = pl.add %old, %f : f32, f32
    pl.write %new, %y[%at] {pl.atomic} : f32, !v
  }
  return
}

// CHECK-LABEL: @scattered_sums
func.func @scattered_sums(%y: !v, %s: !pl.tile<[4], f32>, %t: !pl.tile<[4], i32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: pl.parallel
  // CHECK-NOT: independent
  // CHECK-NOT: pl.said
  // expected-remark @+1 {{iterations may add to the same tensor}}
  pl.parallel %i = %c0 to %n step %c1 independent {
    // expected-note @+1 {{added here}}
    pl.scatter_store %s, %y[%t] axis 0 add : !pl.tile<[4], f32>, !v, !pl.tile<[4], i32>
  }
  return
}

// CHECK-LABEL: @trust_what_is_no_sum
func.func @trust_what_is_no_sum(%y: !v, %f: f32, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: independent
  pl.parallel %i = %c0 to %n step %c1 independent {
    pl.write %f, %y[%at] : f32, !v
  }
  return
}

// CHECK-LABEL: @trust_sums_of_an_iteration
func.func @trust_sums_of_an_iteration(%f: f32, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: independent
  pl.parallel %i = %c0 to %n step %c1 independent {
    %y = pl.create_tensor [%n] : !v
    pl.write %f, %y[%at] {pl.atomic} : f32, !v
  }
  return
}
