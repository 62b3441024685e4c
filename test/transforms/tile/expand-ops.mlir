// RUN: tegula-opt %s --tegula-expand-ops | FileCheck %s --enable-var-scope

// What was loaded is read where it lies.

// CHECK-LABEL: @read_in_place
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[8, 16], f32>, %[[I:.*]]: !pl.tensor<[8, 4], i32>
func.func @read_in_place(%x: !pl.tensor<[8, 16], f32>, %i: !pl.tensor<[8, 4], i32>) -> !pl.tile<[8, 4], f32> {
  %t = pl.load %x : !pl.tensor<[8, 16], f32>
  %j = pl.load %i : !pl.tensor<[8, 4], i32>
  // CHECK:      %[[M:.*]] = pl.create_tensor
  // CHECK:      pl.pick %[[X]][%[[I]]] axis 1 into %[[M]]
  // CHECK:      %[[R:.*]] = pl.load %[[M]]
  %g = pl.gather %t[%j] axis 1 : !pl.tile<[8, 16], f32>, !pl.tile<[8, 4], i32>
  // CHECK:      return %[[R]]
  return %g : !pl.tile<[8, 4], f32>
}

// Half bytes have no addresses: they are read one by one.

// CHECK-LABEL: @half_bytes
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[8, 16], i4>, %[[I:.*]]: !pl.tensor<[8, 4], i32>
func.func @half_bytes(%x: !pl.tensor<[8, 16], i4>, %i: !pl.tensor<[8, 4], i32>) -> !pl.tile<[8, 4], i4> {
  %t = pl.load %x : !pl.tensor<[8, 16], i4>
  %j = pl.load %i : !pl.tensor<[8, 4], i32>
  // CHECK:      %[[M:.*]] = pl.create_tensor
  // CHECK:      pl.parallel %[[A:.*]] = %{{.*}} to
  // CHECK:        scf.for %[[B:.*]] = %{{.*}} to
  // CHECK:          %[[K:.*]] = pl.read %[[I]][%[[A]], %[[B]]]
  // CHECK:          %[[WIDE:.*]] = pl.cast %[[K]] none : i32 -> i64
  // CHECK:          %[[AT:.*]] = arith.index_cast %[[WIDE]]
  // CHECK:          %[[E:.*]] = pl.read %[[X]][%[[A]], %[[AT]]]
  // CHECK:          pl.write %[[E]], %[[M]][%[[A]], %[[B]]]
  %g = pl.gather %t[%j] axis 1 : !pl.tile<[8, 16], i4>, !pl.tile<[8, 4], i32>
  return %g : !pl.tile<[8, 4], i4>
}

// One index for each row is there once.

// CHECK-LABEL: @gather_rows
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?, 16], f32>, %[[I:.*]]: !pl.tensor<[4, 1], i32>
func.func @gather_rows(%x: !pl.tensor<[?, 16], f32>, %i: !pl.tensor<[4, 1], i32>) -> !pl.tile<[4, 16], f32> {
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %t = pl.load %x : !pl.tensor<[?, 16], f32>
  %j = pl.load %i : !pl.tensor<[4, 1], i32>
  %b = pl.broadcast %j, [%c4, %c16] : !pl.tile<[4, 1], i32> -> !pl.tile<[4, 16], i32>
  // CHECK: pl.pick %[[X]][%[[I]]] axis 0 into
  %g = pl.gather %t[%b] axis 0 : !pl.tile<[?, 16], f32>, !pl.tile<[4, 16], i32>
  return %g : !pl.tile<[4, 16], f32>
}

// The tensor is written before the gather, so what it held is kept.

// CHECK-LABEL: @keep_what_is_overwritten
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[16], f32>
func.func @keep_what_is_overwritten(%x: !pl.tensor<[16], f32>, %i: !pl.tile<[4], i32>, %o: !pl.tile<[16], f32>)
    -> !pl.tile<[4], f32> {
  // CHECK: %[[T:.*]] = pl.load %[[X]]
  %t = pl.load %x : !pl.tensor<[16], f32>
  pl.store %o, %x : !pl.tile<[16], f32>, !pl.tensor<[16], f32>
  // CHECK: %[[COPY:.*]] = pl.create_tensor
  // CHECK: pl.store %[[T]], %[[COPY]]
  // CHECK: pl.pick %[[COPY]]
  // CHECK-NOT: pl.pick %[[X]]
  %g = pl.gather %t[%i] axis 0 : !pl.tile<[16], f32>, !pl.tile<[4], i32>
  return %g : !pl.tile<[4], f32>
}

// CHECK-LABEL: @scatter_rows
// CHECK-SAME:    %{{.*}}: !pl.tile<[4, 8], f32>, %[[Y:.*]]: !pl.tensor<[?, 8], f32>
func.func @scatter_rows(%s: !pl.tile<[4, 8], f32>, %y: !pl.tensor<[?, 8], f32>, %i: !pl.tile<[4, 8], i32>) {
  // CHECK: pl.put %{{.*}} into %[[Y]][%{{.*}}] axis 0 :
  pl.scatter_store %s, %y[%i] axis 0 : !pl.tile<[4, 8], f32>, !pl.tensor<[?, 8], f32>, !pl.tile<[4, 8], i32>
  return
}

// What is put everywhere is there once; of what is longer than the other the
// rest is left out.

// CHECK-LABEL: @count
// CHECK-SAME:    %[[Y:.*]]: !pl.tensor<[9], i32>, %[[I:.*]]: !pl.tensor<[?], i32>, %[[N:.*]]: index
func.func @count(%y: !pl.tensor<[9], i32>, %i: !pl.tensor<[?], i32>, %n: index) {
  %c1_i32 = arith.constant 1 : i32
  %j = pl.load %i : !pl.tensor<[?], i32>
  %ones = pl.full %c1_i32, [%n] : i32 -> !pl.tile<[?], i32>
  // CHECK: %[[LEAST:.*]] = arith.minsi
  // CHECK: pl.store %{{.*}}, %[[ONE:.*]] : <[1], i32>
  // CHECK: %[[PART:.*]] = pl.slice %[[I]][%{{.*}}] [%[[LEAST]]]
  // CHECK: pl.put %[[ONE]] into %[[Y]][%[[PART]]] axis 0 add :
  pl.scatter_store %ones, %y[%j] add : !pl.tile<[?], i32>, !pl.tensor<[9], i32>, !pl.tile<[?], i32>
  return
}

// Sums of narrow floats are rounded one by one. Elements with one index are along the axis: the loop over it is the
// inner one, in order.

// CHECK-LABEL: @add_rows
func.func @add_rows(%s: !pl.tile<[4, 8], f16>, %y: !pl.tensor<[?, 8], f16>, %i: !pl.tile<[4, 8], i32>) {
  // CHECK: pl.parallel %[[COLUMN:.*]] = %{{.*}} to %{{.*}}
  // CHECK:   scf.for %[[ROW:.*]] = %{{.*}} to
  // CHECK:     pl.read %{{.*}}[%[[ROW]], %[[COLUMN]]]
  pl.scatter_store %s, %y[%i] axis 0 add : !pl.tile<[4, 8], f16>, !pl.tensor<[?, 8], f16>, !pl.tile<[4, 8], i32>
  return
}

// Any two may have one index: everything in order.

// CHECK-LABEL: @scatter_flat
// CHECK-NOT: pl.parallel
func.func @scatter_flat(%s: !pl.tile<[4, 8], f32>, %y: !pl.tensor<[?, 8], f32>, %i: !pl.tile<[4, 8], i32>) {
  // CHECK: scf.for
  // CHECK:   scf.for
  // CHECK:     arith.floordivsi
  pl.scatter_store %s, %y[%i] : !pl.tile<[4, 8], f32>, !pl.tensor<[?, 8], f32>, !pl.tile<[4, 8], i32>
  return
}

// Rows are apart; along a row the total goes around, in FP32.

// CHECK-LABEL: @scan
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?, 8], f16>, %[[Y:.*]]: !pl.tensor<[?, 8], f16>
func.func @scan(%x: !pl.tensor<[?, 8], f16>, %y: !pl.tensor<[?, 8], f16>) {
  // CHECK: pl.parallel %[[ROW:.*]] = %{{.*}} to %{{.*}}
  // CHECK:   scf.for %[[K:.*]] = {{.*}} iter_args(%[[TOTAL:.*]] = %{{.*}}) -> (f32)
  // CHECK:     %[[NEXT:.*]] = pl.read %[[X]][%[[ROW]], %[[K]]]
  // CHECK:     %[[WIDE:.*]] = pl.cast %[[NEXT]] none : f16 -> f32
  // CHECK:     %[[SUM:.*]] = pl.add %[[TOTAL]], %[[WIDE]]
  // CHECK:     %[[ROUNDED:.*]] = pl.cast %[[SUM]] none : f32 -> f16
  // CHECK:     pl.write %[[ROUNDED]], %[[Y]][%[[ROW]], %[[K]]]
  // CHECK:     scf.yield %[[SUM]]
  pl.scan sum %x axis 1 into %y : !pl.tensor<[?, 8], f16>, !pl.tensor<[?, 8], f16>
  return
}

// Sums of wide elements are the target's.

// CHECK-LABEL: @wide_scan
func.func @wide_scan(%x: !pl.tensor<[?, 8], f32>, %y: !pl.tensor<[?, 8], f32>) {
  // CHECK-NOT: scf.for
  // CHECK: pl.running_sum %{{.*}} axis 1 into
  pl.scan sum %x axis 1 into %y : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  return
}
