// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt %s --mlir-print-op-generic | tegula-opt | FileCheck %s
// The indexed ops survive printing and parsing, pretty and generic.

// CHECK-LABEL: @gathers
func.func @gathers(%x: !pl.tile<[8, 128], f32>, %i: !pl.tile<[4, upto 16], i32>, %j: !pl.tile<[3], ui16>) {
  // CHECK: pl.gather %{{.*}}[%{{.*}}] axis 1 :
  %0 = pl.gather %x[%i] axis 1 : !pl.tile<[8, 128], f32>, !pl.tile<[4, upto 16], i32>
  // CHECK: pl.gather %{{.*}}[%{{.*}}] :
  %1 = pl.gather %x[%j] : !pl.tile<[8, 128], f32>, !pl.tile<[3], ui16>
  // The extents are those of the index.
  // CHECK: pl.neg %{{.*}} : !pl.tile<[4, upto 16], f32>
  %2 = pl.neg %0 : !pl.tile<[4, upto 16], f32>
  // CHECK: pl.neg %{{.*}} : !pl.tile<[3], f32>
  %3 = pl.neg %1 : !pl.tile<[3], f32>
  return
}

// CHECK-LABEL: @scatters
func.func @scatters(%s: !pl.tile<[8, 4], f32>, %t: !pl.tile<[8, ?], f32>, %i: !pl.tile<[8, 4], i32>,
                    %y: !pl.tensor<[?, 128], f32>) {
  // CHECK: pl.scatter %{{.*}}, %{{.*}}[%{{.*}}] axis 1 :
  %0 = pl.scatter %s, %t[%i] axis 1 : !pl.tile<[8, 4], f32>, !pl.tile<[8, ?], f32>, !pl.tile<[8, 4], i32>
  // CHECK: pl.scatter_store %{{.*}}, %{{.*}}[%{{.*}}] axis 0 add :
  pl.scatter_store %s, %y[%i] axis 0 add : !pl.tile<[8, 4], f32>, !pl.tensor<[?, 128], f32>, !pl.tile<[8, 4], i32>
  // CHECK: pl.scatter_store %{{.*}}, %{{.*}}[%{{.*}}] :
  pl.scatter_store %s, %y[%i] : !pl.tile<[8, 4], f32>, !pl.tensor<[?, 128], f32>, !pl.tile<[8, 4], i32>
  return
}

// CHECK-LABEL: @others
func.func @others(%m: !pl.tile<[8, ?], i1>, %x: !pl.tile<[8, ?], f32>, %s: i16) {
  // CHECK: pl.find %{{.*}} columns 16 :
  %0 = pl.find %m columns 16 : !pl.tile<[8, ?], i1>
  // CHECK: pl.neg %{{.*}} : !pl.tile<[8, 16], i32>
  %1 = pl.neg %0 : !pl.tile<[8, 16], i32>
  // CHECK: pl.bitcast %{{.*}} to ui32 : !pl.tile<[8, ?], f32>
  %2 = pl.bitcast %x to ui32 : !pl.tile<[8, ?], f32>
  // CHECK: pl.bitcast %{{.*}} to bf16 : i16
  %3 = pl.bitcast %s to bf16 : i16
  return
}
