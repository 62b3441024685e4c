// RUN: tegula-opt %s --split-input-file --tegula-cuda-find-rows | FileCheck %s

// Whole rows: each block has some.
// CHECK: module attributes {cuda.rowwise = #cuda.rowwise<reduces, tensors = [<tensor = 0, rows, columns>, <tensor = 1, rows>]>}
// CHECK-LABEL: func.func @sum
// CHECK: module @tegula_rows
// CHECK-DAG: func.func private @sum_rows_warp4_aligned({{.*}}cuda.schedule = #cuda.schedule<by_warp, groups = 4, group_size = 4, layout = aligned, full_groups = 0>
// Blocks have as many threads as rows need, and each of those two groups.
// CHECK-DAG: func.func private @sum_rows_block4_shifted({{.*}}cuda.schedule = #cuda.schedule<groups = 4, group_size = 4, layout = shifted, fitted, full_groups = 2>{{.*}}["nvvm.maxntid", "256"]
// CHECK-DAG: func.func private @sum_rows_block8_shifted({{.*}}cuda.schedule = #cuda.schedule<groups = 8, group_size = 4, layout = shifted, full_groups = 6>
// CHECK-DAG: func.func private @sum_rows_block8({{.*}}cuda.schedule = #cuda.schedule<groups = 8, group_size = 4, layout = single, full_groups = 0>
func.func @sum(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, 1], f32>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], f32>
  %n = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %m step %c8 {
    %0 = pl.slice %x[%i, %c0] [%c8, %n] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %1 = pl.load %0 : <[upto 8, ?], f32>
    %2 = pl.reduce sum %1 axis 1 : <[upto 8, ?], f32>
    %3 = pl.slice %y[%i, %c0] [%c8, %c1] : <[?, 1], f32> -> <[upto 8, 1], f32>
    pl.store %2, %3 : <[upto 8, 1], f32>, <[upto 8, 1], f32>
  }
  return
}

// -----

// Windows along both axes, and elements only: chunks of rows.
// CHECK: module attributes {cuda.rowwise = #cuda.rowwise<flat, tensors = [<tensor = 0, rows, columns>, <tensor = 1, rows, columns>]>}
// CHECK-LABEL: func.func @double
// CHECK: module @tegula_rows
// CHECK: func.func private @double_rows_block1_aligned
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// Where rows begin anywhere a group, and an element at the edge.
// CHECK: func.func private @double_rows_block1_shifted
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.load {{.*}} : !llvm.ptr -> f32
// CHECK-NOT: llvm.load
// CHECK: func.func private @double_rows_block1(
// CHECK-COUNT-4: llvm.load {{.*}} : !llvm.ptr -> f32
// CHECK-NOT: llvm.load
func.func @double(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %m step %c8 {
    scf.for %j = %c0 to %n step %c8 {
      %0 = pl.slice %x[%i, %j] [%c8, %c8] : <[?, ?], f32> -> <[upto 8, upto 8], f32>
      %1 = pl.load %0 : <[upto 8, upto 8], f32>
      %2 = pl.add %1, %1 : !pl.tile<[upto 8, upto 8], f32>, !pl.tile<[upto 8, upto 8], f32>
      %3 = pl.slice %y[%i, %j] [%c8, %c8] : <[?, ?], f32> -> <[upto 8, upto 8], f32>
      pl.store %2, %3 : <[upto 8, upto 8], f32>, <[upto 8, upto 8], f32>
    }
  }
  return
}

// -----

// Reductions of chunks of rows are not reductions of rows.
// CHECK-LABEL: func.func @part
// CHECK-NOT: tegula_rows
func.func @part(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, 1], f32>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], f32>
  %n = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %m step %c8 {
    %0 = pl.slice %x[%i, %c0] [%c8, %c8] : <[?, ?], f32> -> <[upto 8, upto 8], f32>
    %1 = pl.load %0 : <[upto 8, upto 8], f32>
    %2 = pl.reduce sum %1 axis 1 : <[upto 8, upto 8], f32>
    %3 = pl.slice %y[%i, %c0] [%c8, %c1] : <[?, 1], f32> -> <[upto 8, 1], f32>
    pl.store %2, %3 : <[upto 8, 1], f32>, <[upto 8, 1], f32>
  }
  return
}

// -----

// The row before.
// CHECK-LABEL: func.func @shifted
// CHECK-NOT: tegula_rows
func.func @shifted(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %m step %c8 {
    %before = arith.subi %i, %c1 : index
    %0 = pl.slice %x[%before, %c0] [%c8, %n] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %1 = pl.load %0 : <[upto 8, ?], f32>
    %2 = pl.slice %y[%i, %c0] [%c8, %n] : <[?, ?], f32> -> <[upto 8, ?], f32>
    pl.store %1, %2 : <[upto 8, ?], f32>, <[upto 8, ?], f32>
  }
  return
}

// -----

// Other extents: what is added is as long as the shorter one.
// CHECK-LABEL: func.func @shorter
// CHECK-NOT: tegula_rows
func.func @shorter(%x: !pl.tensor<[?, ?], f32>, %z: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %x[0], %y[0], %z[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %k = pl.bind "K" %z[1] : !pl.tensor<[?, ?], f32>
  %0 = pl.load %x : <[?, ?], f32>
  %1 = pl.load %z : <[?, ?], f32>
  %2 = pl.add %0, %1 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %2, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

// Rows of what is written are read as a whole by others.
// CHECK-LABEL: func.func @first
// CHECK-NOT: tegula_rows
func.func @first(%x: !pl.tensor<[1, ?], f32>, %z: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %z[0] : !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %z[1] : !pl.tensor<[1, ?], f32>, !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %m step %c1 {
    %0 = pl.load %x : <[1, ?], f32>
    %1 = pl.add %0, %0 : !pl.tile<[1, ?], f32>, !pl.tile<[1, ?], f32>
    pl.store %1, %x : <[1, ?], f32>, <[1, ?], f32>
  }
  return
}

// -----

// The window is that of the row, not of the inner loop.
// CHECK-LABEL: func.func @again
// CHECK-NOT: tegula_rows
func.func @again(%y: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %y[0] : !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %y[1] : !pl.tensor<[?, ?], f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %m step %c8 {
    %0 = pl.slice %y[%i, %c0] [%c8, %n] : <[?, ?], f32> -> <[upto 8, ?], f32>
    scf.for %j = %c0 to %c3 step %c1 {
      %1 = pl.load %0 : <[upto 8, ?], f32>
      %2 = pl.add %1, %1 : !pl.tile<[upto 8, ?], f32>, !pl.tile<[upto 8, ?], f32>
      pl.store %2, %0 : <[upto 8, ?], f32>, <[upto 8, ?], f32>
    }
  }
  return
}

// -----

// All rows read a vector, and one would write it before others have read it.
// CHECK-LABEL: func.func @vector
// CHECK-NOT: tegula_rows
func.func @vector(%x: !pl.tensor<[?, ?], f32>, %b: !pl.tensor<[1, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1], %b[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[1, ?], f32>
  %0 = pl.load %b : <[1, ?], f32>
  %1 = pl.load %x : <[?, ?], f32>
  %2 = pl.broadcast %0, [%m, %n] : <[1, ?], f32> -> <[?, ?], f32>
  %3 = pl.add %1, %2 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %3, %y : <[?, ?], f32>, <[?, ?], f32>
  %4 = pl.add %0, %0 : !pl.tile<[1, ?], f32>, !pl.tile<[1, ?], f32>
  pl.store %4, %b : <[1, ?], f32>, <[1, ?], f32>
  return
}

// -----

// An operand that is written as well; why is kept for those who ask.
// CHECK: module attributes {cuda.row_rejection = #cuda.row_rejection<"{{.+}}" at #loc
// CHECK-LABEL: func.func @overwritten
// CHECK-NOT: cuda.matmul
func.func @overwritten(%a: !pl.tensor<[?, ?], bf16>, %b: !pl.tensor<[?, ?], bf16>) {
  %m = pl.bind "M" %a[0], %a[1], %b[0], %b[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %0 = pl.load %a : <[?, ?], bf16>
  %1 = pl.load %b : <[?, ?], bf16>
  %2 = pl.matmul %0, %1 : <[?, ?], bf16>, <[?, ?], bf16>
  %3 = pl.cast %2 rint : !pl.tile<[?, ?], f32> -> !pl.tile<[?, ?], bf16>
  pl.store %3, %b : <[?, ?], bf16>, <[?, ?], bf16>
  return
}

// -----

// Sums of rows become a row and a column again; no element moves.
// CHECK: module attributes {cuda.rowwise =
// CHECK-LABEL: func.func @transposed
func.func @transposed(%x: !pl.tensor<[16, ?], f32>, %y: !pl.tensor<[16, 1], f32>) {
  %n = pl.bind "N" %x[1] : !pl.tensor<[16, ?], f32>
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %0 = pl.load %x : <[16, ?], f32>
  %1 = pl.reduce sum %0 axis 1 : <[16, ?], f32>
  %2 = pl.reshape %1, [%c1, %c16] : !pl.tile<[16, 1], f32> -> !pl.tile<[1, 16], f32>
  %3 = pl.transpose %2 [1, 0] : !pl.tile<[1, 16], f32>
  pl.store %3, %y : <[16, 1], f32>, <[16, 1], f32>
  return
}

// -----

// In between they are a square, whose elements do.
// CHECK-LABEL: func.func @permuted
// CHECK-NOT: tegula_rows
func.func @permuted(%x: !pl.tensor<[16, ?], f32>, %y: !pl.tensor<[16, 1], f32>) {
  %n = pl.bind "N" %x[1] : !pl.tensor<[16, ?], f32>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %0 = pl.load %x : <[16, ?], f32>
  %1 = pl.reduce sum %0 axis 1 : <[16, ?], f32>
  %2 = pl.reshape %1, [%c4, %c4] : !pl.tile<[16, 1], f32> -> !pl.tile<[4, 4], f32>
  %3 = pl.transpose %2 [1, 0] : !pl.tile<[4, 4], f32>
  %4 = pl.reshape %3, [%c16, %c1] : !pl.tile<[4, 4], f32> -> !pl.tile<[16, 1], f32>
  pl.store %4, %y : <[16, 1], f32>, <[16, 1], f32>
  return
}

// -----

// In each iteration of the inner loop as many columns are summed up as whole rows have.
// CHECK-LABEL: func.func @width
// CHECK-NOT: tegula_rows
func.func @width(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, 1], f32>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], f32>
  %n = pl.bind "N" %x[1] : !pl.tensor<[?, ?], f32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %m step %c8 {
    %0 = pl.slice %x[%i, %c0] [%c8, %n] : <[?, ?], f32> -> <[upto 8, ?], f32>
    %1 = pl.load %0 : <[upto 8, ?], f32>
    %rows = pl.dim %1[0] : !pl.tile<[upto 8, ?], f32>
    %2 = pl.full %zero, [%rows, %c1] : f32 -> <[upto 8, 1], f32>
    %3 = scf.for %j = %c0 to %n step %c8 iter_args(%sum = %2) -> (!pl.tile<[upto 8, 1], f32>) {
      %columns = pl.dim %1[1] : !pl.tile<[upto 8, ?], f32>
      %5 = pl.full %zero, [%rows, %columns] : f32 -> <[upto 8, ?], f32>
      %6 = pl.reduce sum %5 axis 1 : <[upto 8, ?], f32>
      %7 = pl.add %sum, %6 : !pl.tile<[upto 8, 1], f32>, !pl.tile<[upto 8, 1], f32>
      scf.yield %7 : !pl.tile<[upto 8, 1], f32>
    }
    %4 = pl.slice %y[%i, %c0] [%c8, %c1] : <[?, 1], f32> -> <[upto 8, 1], f32>
    pl.store %3, %4 : <[upto 8, 1], f32>, <[upto 8, 1], f32>
  }
  return
}

// -----

// Eight elements of 16 bits are read at once, and two are rounded at once. A division by what the row has in common is
// two multiplications, as the results hide how FP32 was rounded.
// CHECK-LABEL: func.func @share
// CHECK: func.func private @share_rows_block1_aligned({{.*}}cuda.schedule = #cuda.schedule<groups = 1, group_size = 8, layout = aligned, full_groups = 0>
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK-NOT: llvm.load {{.*}} -> i16
// CHECK: math.exp {{.*}} fastmath<{{.*}}afn
// CHECK: arith.divf {{.*}}afn> : f32
// CHECK-NOT: arith.divf
// CHECK: arith.truncf {{.*}} : vector<2xf32> to vector<2xbf16>
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr
func.func @share(%x: !pl.tensor<[?, ?], bf16>, %y: !pl.tensor<[?, ?], bf16>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %0 = pl.load %x : <[?, ?], bf16>
  %1 = pl.cast %0 rint : !pl.tile<[?, ?], bf16> -> !pl.tile<[?, ?], f32>
  %2 = pl.exp %1 : !pl.tile<[?, ?], f32>
  %3 = pl.reduce sum %2 axis 1 : <[?, ?], f32>
  %4 = pl.broadcast %3, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %5 = pl.div %2, %4 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %6 = pl.cast %5 rint : !pl.tile<[?, ?], f32> -> !pl.tile<[?, ?], bf16>
  pl.store %6, %y : <[?, ?], bf16>, <[?, ?], bf16>
  return
}

// -----

// What is written shows how FP32 was rounded: multiplications are corrected.
// CHECK-LABEL: func.func @share_wide
// CHECK: func.func private @share_wide_rows_block2_aligned
// CHECK-NOT: fastmath<{{.*}}afn
// CHECK: arith.divf
// CHECK-NOT: arith.divf
// CHECK-COUNT-16: math.fma
// CHECK: func.func private @
func.func @share_wide(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %0 = pl.load %x : <[?, ?], f32>
  %2 = pl.exp %0 : !pl.tile<[?, ?], f32>
  %3 = pl.reduce sum %2 axis 1 : <[?, ?], f32>
  %4 = pl.broadcast %3, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %5 = pl.div %2, %4 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %5, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}
