// RUN: tegula-opt %s --tegula-label-prints | FileCheck %s --enable-var-scope

// CHECK-LABEL: @loops
// CHECK: pl.parallel %[[I:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: pl.print "x {}"(%{{.*}}) at ["iteration", "iteration"](%[[I]], %[[J]]) labelled : index
// CHECK: pl.assert %{{.*}}, "f", "fits" at ["iteration", "iteration"](%[[I]], %[[J]]) labelled
func.func @loops(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      pl.print "x {}"(%n) : index
      pl.assert %c, "f", "fits"
    }
  }
  return
}

// What is labelled keeps its label, also in loops that came later.

// CHECK-LABEL: @labelled
// CHECK: pl.print "x"() labelled
func.func @labelled(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    pl.print "x"() labelled
  }
  return
}
