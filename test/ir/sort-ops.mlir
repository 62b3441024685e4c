// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

// CHECK-LABEL: @sort
func.func @sort(%x: !pl.tensor<[?, 8], f32>, %v: !pl.tensor<[?, 8], f32>, %i: !pl.tensor<[?, 8], i32>,
                %u: !pl.tensor<[?, 8], ui32>, %p: !pl.tensor<[?, 16], f32>, %c: !pl.tensor<[1, 8], i32>, %n: index) {
  // CHECK: pl.arg_reduce min %{{.*}} axis 0 into %{{.*}} : {{.*}}<[?, 8], f32>, {{.*}}<[1, 8], i32>
  pl.arg_reduce min %x axis 0 into %c : !pl.tensor<[?, 8], f32>, !pl.tensor<[1, 8], i32>
  // CHECK: pl.sort_rows %{{.*}} axis 1 into %{{.*}}, %{{.*}} {descending} : {{.*}}<[?, 8], f32>, {{.*}}<[?, 8], f32>, {{.*}}<[?, 8], i32>
  pl.sort_rows %x axis 1 into %v, %i {descending} : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], i32>
  // CHECK: pl.sort_runs 32 of %{{.*}}, %{{.*}} into %{{.*}} : {{.*}}<[?, 8], f32>, {{.*}}<[?, 8], ui32>, {{.*}}<[?, 16], f32>
  pl.sort_runs 32 of %x, %u into %p : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], ui32>, !pl.tensor<[?, 16], f32>
  // CHECK: pl.merge_runs %{{.*}}, %{{.*}} into %{{.*}} : {{.*}}<[?, 8], f32>, {{.*}}<[?, 8], f32> into {{.*}}<[?, 16], f32>
  pl.merge_runs %x, %v into %p : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32> into !pl.tensor<[?, 16], f32>
  // CHECK: pl.merge_runs %{{.*}} length %{{.*}} into %{{.*}} : {{.*}}<[?, 8], f32> into {{.*}}<[?, 8], f32>
  pl.merge_runs %x length %n into %v : !pl.tensor<[?, 8], f32> into !pl.tensor<[?, 8], f32>
  return
}

// CHECK-LABEL: @scan
func.func @scan(%x: !pl.tensor<[?, 8], f32>, %y: !pl.tensor<[?, 8], f32>) {
  // CHECK: pl.scan max %{{.*}} axis 0 into %{{.*}} : {{.*}}<[?, 8], f32>, {{.*}}<[?, 8], f32>
  pl.scan max %x axis 0 into %y : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  return
}

// CHECK-LABEL: @shapes
func.func @shapes(%x: !pl.tensor<[?, 8], f32>, %t: !pl.tile<[?, 8], f32>, %b: !pl.tile<[2, 3, 8, 4], f32>, %n: index) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // CHECK: pl.view %{{.*}}, [%{{.*}}] {aliasing} : {{.*}}<[?, 8], f32> -> {{.*}}<[?], f32>
  %v = pl.view %x, [%n] {aliasing} : !pl.tensor<[?, 8], f32> -> !pl.tensor<[?], f32>
  // CHECK: pl.reshape_elements %{{.*}}, [%{{.*}}, %{{.*}}, %{{.*}}] : {{.*}}<[?, 8], f32> -> {{.*}}<[?, 2, 4], f32>
  %r = pl.reshape_elements %t, [%n, %c2, %c4] : !pl.tile<[?, 8], f32> -> !pl.tile<[?, 2, 4], f32>
  // CHECK: pl.matmul %{{.*}}, %{{.*}} : {{.*}}<[?, 8], f32>, {{.*}}<[2, 3, 8, 4], f32>
  %p = pl.matmul %t, %b : !pl.tile<[?, 8], f32>, !pl.tile<[2, 3, 8, 4], f32>
  // CHECK: pl.dim %{{.*}}[2] : {{.*}}<[2, 3, ?, 4], f32>
  %d = pl.dim %p[2] : !pl.tile<[2, 3, ?, 4], f32>
  return
}

// CHECK-LABEL: @moves
func.func @moves(%x: !pl.tensor<[?, 128], f32>, %i: !pl.tensor<[?, 4], i32>, %y: !pl.tensor<[?, 4], f32>,
                 %j: !pl.tensor<[?, 1], ui8>) {
  // CHECK: pl.pick %{{.*}}[%{{.*}}] axis 1 into %{{.*}} :
  pl.pick %x[%i] axis 1 into %y : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 4], i32>, !pl.tensor<[?, 4], f32>
  // CHECK: pl.put %{{.*}} into %{{.*}}[%{{.*}}] axis 1 :
  pl.put %y into %x[%i] axis 1 : !pl.tensor<[?, 4], f32>, !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 4], i32>
  // CHECK: pl.put %{{.*}} into %{{.*}}[%{{.*}}] axis 0 add :
  pl.put %x into %x[%j] axis 0 add : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 1], ui8>
  // CHECK: pl.running_sum %{{.*}} axis 1 into %{{.*}} :
  pl.running_sum %x axis 1 into %x : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 128], f32>
  return
}
