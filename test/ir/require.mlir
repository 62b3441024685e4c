// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @requirements
// CHECK: pl.require %{{.*}}, "M % 16 == 0", "assumed" ["M"](%arg1)
// CHECK: pl.require %{{.*}}, "axis 0 of 'x' == 2 * M", "declared" []() {argument = 0 : i64, at_call, axis = 0 : i64}
// FOLD-LABEL: @requirements
// FOLD-COUNT-2: pl.require
// FOLD-NOT: "true"
func.func @requirements(%c: i1, %M: index) {
  %true = arith.constant true
  pl.require %c, "M % 16 == 0", "assumed" ["M"](%M)
  pl.require %c, "axis 0 of 'x' == 2 * M", "declared" []() {at_call, argument = 0 : i64, axis = 0 : i64}
  pl.require %true, "true", "assumed" []()
  return
}
