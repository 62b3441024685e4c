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
