// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: @prints
func.func @prints(%x: !pl.tensor<[?, 128], f32>, %s: f16, %i: index, %j: index) {
  // CHECK: pl.print ""()
  pl.print "" ()
  // CHECK-NEXT: pl.print "x {} at {} of {{..}}{{..}}"(%{{.*}}, %{{.*}}) : !pl.tensor<[?, 128], f32>, index
  pl.print "x {} at {} of {{}}" (%x, %i) : !pl.tensor<[?, 128], f32>, index
  // CHECK-NEXT: pl.print "s {}"(%{{.*}}) at ["i", "j"](%{{.*}}, %{{.*}}) labelled : f16
  pl.print "s {}" (%s) at ["i", "j"](%i, %j) labelled : f16
  // CHECK-NEXT: pl.print "here"() at ["i"](%{{.*}}) labelled {tag = 1 : i64}
  pl.print "here" () at ["i"](%i) labelled {tag = 1 : i64}
  return
}

// CHECK-LABEL: @assertions
// FOLD-LABEL: @assertions
func.func @assertions(%c: i1, %i: index) {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: pl.assert %{{.*}}, "k", ""
  // FOLD: pl.assert %{{.*}}, "k", ""
  pl.assert %c, "k", ""
  // CHECK-NEXT: pl.assert %{{.*}}, "k", "small" at ["i"](%{{.*}}) labelled
  // FOLD-NEXT: pl.assert %{{.*}}, "k", "small"
  pl.assert %c, "k", "small" at ["i"](%i) labelled
  // CHECK-NEXT: pl.assert %{{.*}}, "k", "always"
  // FOLD-NOT: "always"
  pl.assert %true, "k", "always"
  // CHECK-NEXT: pl.assert %{{.*}}, "k", "never"
  // FOLD: pl.assert %{{.*}}, "k", "never"
  pl.assert %false, "k", "never"
  return
}
