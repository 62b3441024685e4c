// RUN: tegula-opt %s --tegula-merge-sorts | FileCheck %s --enable-var-scope

!row = !pl.tensor<[1, 1024], f32>
!ids = !pl.tensor<[1, 1024], i32>
!pairs = !pl.tensor<[1, 2048], f32>
!half = !pl.tensor<[1, 1024], f32>

// CHECK-LABEL: @top
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[1, 1024], f32>, %[[I:.*]]: !pl.tensor<[1, 1024], i32>, %[[Y:.*]]: !pl.tensor<[1, 32], f32>
func.func @top(%x: !row, %i: !ids, %y: !pl.tensor<[1, 32], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  // CHECK:     %[[P:.*]] = pl.create_tensor[%{{.*}}, %{{.*}}] : <[1, 32], f32>
  // CHECK-NEXT: pl.sort_runs 1024 of %[[X]], %[[I]] into %[[P]]
  // CHECK-NOT: pl.merge_runs
  // CHECK-NOT: pl.create_tensor
  // CHECK:     %[[T:.*]] = pl.load %[[P]]
  // CHECK:     pl.window %[[T]]
  %p = pl.create_tensor [%c1, %c2048] : !pairs
  pl.sort_runs 32 of %x, %i into %p : !row, !ids, !pairs
  %0 = pl.load %p : !pairs
  %q = pl.create_tensor [%c1, %c2048] : !pairs
  pl.store %0, %q : !pl.tile<[1, 2048], f32>, !pairs
  %r = pl.create_tensor [%c1, %c2048] : !pairs
  pl.merge_runs %q length %c64 into %r : !pairs into !pairs
  %s = pl.create_tensor [%c1, %c2048] : !pairs
  pl.merge_runs %r length %c256 into %s : !pairs into !pairs
  %1 = pl.load %s : !pairs
  %2 = pl.window %1[%c0, %c0] [%c1, %c1024] : !pl.tile<[1, 2048], f32> -> !pl.tile<[1, 1024], f32>
  %3 = pl.window %1[%c0, %c1024] [%c1, %c1024] : !pl.tile<[1, 2048], f32> -> !pl.tile<[1, 1024], f32>
  %a = pl.create_tensor [%c1, %c1024] : !half
  pl.store %2, %a : !pl.tile<[1, 1024], f32>, !half
  %b = pl.create_tensor [%c1, %c1024] : !half
  pl.store %3, %b : !pl.tile<[1, 1024], f32>, !half
  %m = pl.create_tensor [%c1, %c2048] : !pairs
  pl.merge_runs %a, %b into %m : !half, !half into !pairs
  %4 = pl.load %m : !pairs
  %5 = pl.window %4[%c0, %c0] [%c1, %c32] : !pl.tile<[1, 2048], f32> -> !pl.tile<[1, 32], f32>
  pl.store %5, %y : !pl.tile<[1, 32], f32>, !pl.tensor<[1, 32], f32>
  return
}

// Blocks of another length are not what was sorted.

// CHECK-LABEL: @keep_other_blocks
func.func @keep_other_blocks(%x: !row, %i: !ids, %y: !pairs) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c2048 = arith.constant 2048 : index
  %p = pl.create_tensor [%c1, %c2048] : !pairs
  pl.sort_runs 32 of %x, %i into %p : !row, !ids, !pairs
  // CHECK: pl.merge_runs
  pl.merge_runs %p length %c128 into %y : !pairs into !pairs
  return
}

// What was sorted is not there any more.

// CHECK-LABEL: @keep_what_is_overwritten
func.func @keep_what_is_overwritten(%x: !row, %i: !ids, %y: !pairs, %t: !pl.tile<[1, 1024], f32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c2048 = arith.constant 2048 : index
  %p = pl.create_tensor [%c1, %c2048] : !pairs
  pl.sort_runs 32 of %x, %i into %p : !row, !ids, !pairs
  pl.store %t, %x : !pl.tile<[1, 1024], f32>, !row
  // CHECK: pl.merge_runs
  pl.merge_runs %p length %c64 into %y : !pairs into !pairs
  return
}

// CHECK-LABEL: @shorten_sorted_rows
// CHECK-SAME:    %[[X:.*]]: !pl.tensor<[?, ?], f32>
func.func @shorten_sorted_rows(%x: !pl.tensor<[?, ?], f32>) -> (!pl.tile<[?, upto 8], f32>, !pl.tile<[?, ?], i32>) {
  %M = pl.bind "M" %x[0] : !pl.tensor<[?, ?], f32>
  %N = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // CHECK: %[[V:.*]] = pl.create_tensor[%{{.*}}, %{{.*}}] : <[?, upto 8], f32>
  // CHECK: %[[I:.*]] = pl.create_tensor[%{{.*}}, %{{.*}}] : <[?, ?], i32>
  // CHECK: pl.sort_rows %[[X]] axis 1 into %[[V]], %[[I]]
  %v = pl.create_tensor [%M, %N] : !pl.tensor<[?, ?], f32>
  %i = pl.create_tensor [%M, %N] : !pl.tensor<[?, ?], i32>
  pl.sort_rows %x axis 1 into %v, %i : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], i32>
  %0 = pl.load %v : !pl.tensor<[?, ?], f32>
  %1 = pl.window %0[%c0, %c0] [%M, %c8] : !pl.tile<[?, ?], f32> -> !pl.tile<[?, upto 8], f32>
  %2 = pl.load %i : !pl.tensor<[?, ?], i32>
  return %1, %2 : !pl.tile<[?, upto 8], f32>, !pl.tile<[?, ?], i32>
}

// Sorting writes whole pairs.

// CHECK-LABEL: @keep_whole_pairs
func.func @keep_whole_pairs(%x: !row, %i: !ids) -> !pl.tile<[1, 7], f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c2048 = arith.constant 2048 : index
  // CHECK: pl.create_tensor[%{{.*}}, %{{.*}}] : <[1, 8], f32>
  %p = pl.create_tensor [%c1, %c2048] : !pairs
  pl.sort_runs 32 of %x, %i into %p : !row, !ids, !pairs
  %0 = pl.load %p : !pairs
  %1 = pl.window %0[%c0, %c0] [%c1, %c7] : !pl.tile<[1, 2048], f32> -> !pl.tile<[1, 7], f32>
  return %1 : !pl.tile<[1, 7], f32>
}
