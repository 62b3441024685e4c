// RUN: tegula-opt %s --tegula-require-int32-indices | FileCheck %s --enable-var-scope

// CHECK-LABEL: @index_of_the_largest
func.func @index_of_the_largest(%x: !pl.tensor<[?, ?], f32> {pl.name = "x"}, %i: !pl.tensor<[?, 1], i32>) {
  // CHECK: %[[N:.*]] = pl.bind "N"
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  // CHECK: %[[Q:.*]] = arith.floordivsi %[[N]], %c2147483648
  // CHECK: %[[C:.*]] = arith.cmpi slt, %[[Q]], %c1
  // CHECK: pl.require %[[C]], "N <= 2147483647, because indices are INT32", "derived" ["axis 1 of 'x'"](%[[N]])
  // CHECK: pl.arg_reduce
  pl.arg_reduce max %x axis 1 into %i : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], i32>
  return
}

// CHECK-LABEL: @merged_pairs
func.func @merged_pairs(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32> {pl.name = "y"}) {
  %c64 = arith.constant 64 : index
  // CHECK: %[[N:.*]] = pl.bind "N"
  %N = pl.bind "N" %y[1] : !pl.tensor<[?, ?], f32>
  // CHECK: pl.require %{{.*}}, "N <= 4294967294, because indices are INT32", "derived" ["axis 1 of 'y'"](%[[N]])
  // CHECK: pl.merge_runs
  pl.merge_runs %x length %c64 into %y : !pl.tensor<[?, ?], f32> into !pl.tensor<[?, ?], f32>
  return
}

// CHECK-LABEL: @leave_short_rows
// CHECK-NOT: pl.require
func.func @leave_short_rows(%x: !pl.tensor<[?, 128], f32>, %i: !pl.tensor<[?, 1], i32>) {
  pl.arg_reduce max %x axis 1 into %i : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 1], i32>
  return
}
