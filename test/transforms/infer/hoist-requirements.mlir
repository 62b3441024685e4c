// RUN: tegula-opt %s --tegula-hoist-requirements --split-input-file --verify-diagnostics | FileCheck %s

!v = !pl.tensor<[?], f32>

// CHECK-LABEL: @from_a_loop
// CHECK:       %[[M:.*]] = pl.bind "M"
// CHECK:       %[[N:.*]] = pl.bind "N"
// CHECK-DAG:   %[[C:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK-DAG:   %[[IDLE:.*]] = arith.cmpi sge, %{{.*}}, %[[M]]
// CHECK:       %[[EITHER:.*]] = arith.ori %[[IDLE]], %[[C]]
// CHECK-NEXT:  pl.require %[[EITHER]], "M == N", "derived" ["M", "N"](%[[M]], %[[N]]) {at_call}
// CHECK:       scf.for
// CHECK-NOT:   pl.require
// CHECK:       return
func.func @from_a_loop(%x: !v, %y: !v) attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %N = pl.bind "N" %y[0] : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %M step %c1 {
    %c = arith.cmpi eq, %M, %N : index
    pl.require %c, "M == N", "derived" ["M", "N"](%M, %N)
    // The second time it is known.
    pl.require %c, "M == N", "derived" ["M", "N"](%M, %N)
  }
  return
}

// A loop that has an iteration asks whatever the sizes are; what holds of its bounds is known before it.

// CHECK-LABEL: @from_a_loop_with_iterations
// CHECK:       %[[C:.*]] = arith.cmpi eq
// CHECK-NEXT:  pl.require %[[C]], "M == N", "derived" []() {at_call}
// CHECK:       scf.for
func.func @from_a_loop_with_iterations(%x: !v, %y: !v) attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %N = pl.bind "N" %y[0] : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %upper = arith.addi %M, %c1 : index
  scf.for %i = %c0 to %upper step %c1 {
    %next = arith.addi %i, %c1 : index
    scf.for %j = %i to %next step %c1 {
      %c = arith.cmpi eq, %M, %N : index
      pl.require %c, "M == N", "derived" []()
    }
  }
  return
}

// Nobody can tell at the call whether this loop has an iteration.

// CHECK-LABEL: @from_a_loop_that_depends_on_another
// CHECK:       scf.for
// CHECK:         scf.for
// CHECK:           pl.require %{{.*}}, "M == N", "derived" [](){{$}}
func.func @from_a_loop_that_depends_on_another(%x: !v, %y: !v) attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %N = pl.bind "N" %y[0] : !v
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %M step %c1 {
    scf.for %j = %i to %c4 step %c1 {
      %c = arith.cmpi eq, %M, %N : index
      pl.require %c, "M == N", "derived" []()
    }
  }
  return
}

// A branch that is not taken asks for nothing.

// CHECK-LABEL: @in_a_branch
// CHECK:       scf.if
// CHECK:         pl.require %{{.*}}, "M == N", "derived" ["M"](%{{.*}}){{$}}
func.func @in_a_branch(%x: !v, %y: !v, %b: i1) attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %N = pl.bind "N" %y[0] : !v
  scf.if %b {
    %c = arith.cmpi eq, %M, %N : index
    pl.require %c, "M == N", "derived" ["M"](%M)
  }
  return
}

// The call does not know the elements of a tensor.

// CHECK-LABEL: @depends_on_elements
// CHECK:       pl.require %{{.*}}, "n > 0", "assumed" []()
// CHECK-NOT:   at_call
// CHECK:       return
func.func @depends_on_elements(%x: !pl.tensor<[8], i32>) attributes {pl.kind = #pl.kind<entry>} {
  %c0 = arith.constant 0 : index
  %e = pl.read %x[%c0] : !pl.tensor<[8], i32>
  %n = arith.index_cast %e : i32 to index
  %c = arith.cmpi sgt, %n, %c0 : index
  pl.require %c, "n > 0", "assumed" []()
  return
}

// CHECK-LABEL: @proved
// CHECK-NOT:   pl.require
// CHECK:       return
func.func @proved(%x: !v) attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %c2 = arith.constant 2 : index
  %h = arith.floordivsi %M, %c2 : index
  %c = arith.cmpi sle, %h, %M : index
  pl.require %c, "M // 2 <= M", "assumed" ["M"](%M)
  return
}

// Helpers have no call of their own.

// CHECK-LABEL: @helper
// CHECK-NOT:   at_call
// CHECK:       return
func.func @helper(%x: !v, %n: index) attributes {pl.kind = #pl.kind<inline>} {
  %M = pl.dim %x[0] : !v
  %c = arith.cmpi eq, %M, %n : index
  pl.require %c, "M == n", "assumed" ["M"](%M)
  return
}

// -----

!v = !pl.tensor<[?], f32>

func.func @never(%x: !v) attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %c1 = arith.constant 1 : index
  %a = arith.addi %M, %c1 : index
  %c = arith.cmpi eq, %M, %a : index
  // expected-error @+1 {{needs M == M + 1, which does not hold for any sizes}}
  pl.require %c, "M == M + 1", "derived" ["M"](%M)
  return
}

// -----

// Nothing stands before the first requirement, and it goes away.

// CHECK-LABEL: @on_arguments
// CHECK-SAME:    %[[F:.*]]: i1 {{.*}}, %[[G:.*]]: i1
// CHECK-NEXT:  pl.require %[[F]], "f", "assumed" []() {at_call}
// CHECK-NEXT:  pl.require %[[G]], "g", "assumed" []() {at_call}
// CHECK-NEXT:  return
func.func @on_arguments(%f: i1 {pl.name = "f"}, %g: i1 {pl.name = "g"}) attributes {pl.kind = #pl.kind<entry>} {
  pl.require %f, "f", "assumed" []()
  pl.require %g, "g", "assumed" []()
  return
}
