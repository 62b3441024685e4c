// RUN: tegula-opt %s --tegula-unify-extents | FileCheck %s

!v = !pl.tensor<[?], f32>

// CHECK-LABEL: @chain
// CHECK-SAME:  %[[X:.*]]: !pl.tensor<[?], f32>, %[[Y:.*]]: !pl.tensor<[?], f32>, %[[Z:.*]]: !pl.tensor<[?], f32>
// CHECK:       %[[M:.*]] = pl.bind "M" %[[X]][0], %[[Y]][0], %[[Z]][0]
// CHECK-NOT:   pl.bind
// CHECK-NOT:   pl.require
// CHECK:       arith.addi %[[M]], %[[M]]
func.func @chain(%x: !v, %y: !v, %z: !v) -> index attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %N = pl.bind "N" %y[0] : !v
  %K = pl.bind "K" %z[0] : !v
  %c = arith.cmpi eq, %M, %N : index
  pl.require %c, "M == N", "derived" ["M", "N"](%M, %N) {at_call}
  %d = arith.cmpi eq, %K, %N : index
  pl.require %d, "K == N", "derived" ["K", "N"](%K, %N) {at_call}
  %s = arith.addi %N, %K : index
  return %s : index
}

// What is checked at run time does not make symbols equal.

// CHECK-LABEL: @not_at_call
// CHECK:       pl.bind "M"
// CHECK:       pl.bind "N"
// CHECK:       pl.require
func.func @not_at_call(%x: !v, %y: !v) attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %N = pl.bind "N" %y[0] : !v
  %c = arith.cmpi eq, %M, %N : index
  pl.require %c, "M == N", "derived" ["M", "N"](%M, %N)
  return
}

// CHECK-LABEL: @not_equality
// CHECK:       pl.bind "M"
// CHECK:       pl.bind "N"
func.func @not_equality(%x: !v, %y: !v) attributes {pl.kind = #pl.kind<entry>} {
  %M = pl.bind "M" %x[0] : !v
  %N = pl.bind "N" %y[0] : !v
  %c = arith.cmpi sle, %M, %N : index
  pl.require %c, "M <= N", "assumed" ["M", "N"](%M, %N) {at_call}
  return
}
