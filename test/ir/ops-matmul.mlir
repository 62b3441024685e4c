// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s

// CHECK-LABEL: @matmul_into
func.func @matmul_into(%a: !pl.tensor<[?, 8], f16>, %b: !pl.tensor<[8, 4], f16>, %t: !pl.tensor<[4, 8], f16>, %c: !pl.tensor<[?, 4], f32>) {
  // CHECK: pl.matmul_into %{{.*}}, %{{.*}} into %{{.*}} : {{.*}}<[?, 8], f16>, {{.*}}<[8, 4], f16>, {{.*}}<[?, 4], f32>
  pl.matmul_into %a, %b into %c : !pl.tensor<[?, 8], f16>, !pl.tensor<[8, 4], f16>, !pl.tensor<[?, 4], f32>
  // CHECK: pl.matmul_into %{{.*}}, %{{.*}} into %{{.*}} {transpose_rhs} :
  pl.matmul_into %a, %t into %c {transpose_rhs} : !pl.tensor<[?, 8], f16>, !pl.tensor<[4, 8], f16>, !pl.tensor<[?, 4], f32>
  return
}

// CHECK-LABEL: @epilogue
// CHECK-SAME:    %[[SCALE:[a-z0-9]+]]: f32)
func.func @epilogue(%a: !pl.tensor<[?, 8], f16>, %b: !pl.tensor<[8, 4], f16>, %c: !pl.tensor<[?, 4], f16>, %bias: !pl.tensor<[4], f16>, %column: !pl.tensor<[?, 1], f32>, %scale: f32) {
  // CHECK: pl.matmul_into %{{.*}}, %{{.*}} into %{{.*}} with %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}<[4], f16>, {{.*}}<[?, 1], f32>, {{.*}}<[?, 4], f16> epilogue {
  // CHECK: ^bb0(%[[ACC:.*]]: f32, %[[V:.*]]: f16, %{{.*}}: f32, %[[OLD:.*]]: f16):
  // CHECK:   pl.mul %{{.*}}, %[[SCALE]] : f32, f32
  // CHECK:   pl.epilogue_yield %{{.*}} : f16
  // CHECK: } : {{.*}}<[?, 8], f16>, {{.*}}<[8, 4], f16>, {{.*}}<[?, 4], f16>
  pl.matmul_into %a, %b into %c with %bias, %column, %c : !pl.tensor<[4], f16>, !pl.tensor<[?, 1], f32>, !pl.tensor<[?, 4], f16> epilogue {
  ^bb0(%acc: f32, %v: f16, %w: f32, %old: f16):
    %0 = pl.mul %acc, %w : f32, f32
    %1 = pl.mul %0, %scale : f32, f32
    %2 = pl.cast %1 round : f32 -> f16
    %3 = pl.add %2, %v : f16, f16
    %4 = pl.add %3, %old : f16, f16
    pl.epilogue_yield %4 : f16
  } : !pl.tensor<[?, 8], f16>, !pl.tensor<[8, 4], f16>, !pl.tensor<[?, 4], f16>
  return
}
