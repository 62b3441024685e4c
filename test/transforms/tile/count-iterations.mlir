// RUN: tegula-opt %s --tegula-count-iterations | FileCheck %s --enable-var-scope

// CHECK-LABEL: @end_from_memory
// CHECK-SAME:    %[[E:.*]]: !pl.tensor<[2], i64>, %[[FROM:.*]]: index
func.func @end_from_memory(%e: !pl.tensor<[2], i64>, %from: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %0 = pl.read %e[%c0] : !pl.tensor<[2], i64>
  %end = arith.index_cast %0 : i64 to index
  // CHECK:     %[[END:.*]] = arith.index_cast
  // CHECK:     %[[SOME:.*]] = arith.cmpi slt, %[[FROM]], %[[END]]
  // CHECK:     %[[WAY:.*]] = arith.subi %[[END]], %[[FROM]]
  // CHECK:     %[[LESS:.*]] = arith.subi %[[WAY]]
  // CHECK:     %[[LAST:.*]] = arith.divui %[[LESS]]
  // CHECK:     %[[MORE:.*]] = arith.addi %[[LAST]]
  // CHECK:     %[[COUNT:.*]] = arith.select %[[SOME]], %[[MORE]]
  // CHECK:     scf.for %[[K:.*]] = %{{.*}} to %[[COUNT]]
  // CHECK:       %[[STEPS:.*]] = arith.muli %[[K]], %c16
  // CHECK:       %[[I:.*]] = arith.addi %[[FROM]], %[[STEPS]]
  // CHECK:       pl.assert %{{.*}} at ["i"](%[[I]])
  scf.for %i = %from to %end step %c16 {
    %holds = arith.cmpi slt, %i, %c16 : index
    pl.assert %holds, "k", "text" at ["i"](%i) labelled
  }
  // CHECK:     pl.parallel %{{.*}} = %{{.*}} to %{{.*}} step %c1{{.*}} independent
  pl.parallel %i = %from to %end step %c16 independent {
    %holds = arith.cmpi slt, %i, %c16 : index
    pl.assert %holds, "k", "text" at ["i"](%i) labelled
  }
  return
}

// The variable goes up by one: it ends at the end.

// CHECK-LABEL: @keep_step_of_one
func.func @keep_step_of_one(%from: index, %end: index) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  // CHECK:     scf.for %{{.*}} = %{{.*}}arg0 to %{{.*}}arg1 step %c1
  scf.for %i = %from to %end step %c1 {
    %holds = arith.cmpi slt, %i, %c16 : index
    pl.assert %holds, "k", "text" at ["i"](%i) labelled
  }
  return
}

// Memory is not that long, and narrow integers are not that large.

// CHECK-LABEL: @keep_extents
func.func @keep_extents(%x: !pl.tensor<[?], f32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = pl.bind "M" %x[0] : !pl.tensor<[?], f32>
  %number = arith.index_cast %n : i32 to index
  %least = arith.minsi %m, %number : index
  %end = arith.addi %least, %c16 : index
  // CHECK:     %[[END:.*]] = arith.addi
  // CHECK:     scf.for %{{.*}} = %c0 to %[[END]] step %c16
  scf.for %i = %c0 to %end step %c16 {
    %holds = arith.cmpi slt, %i, %c16 : index
    pl.assert %holds, "k", "text" at ["i"](%i) labelled
  }
  return
}
