// RUN: tegula-opt %s --split-input-file --tegula-cuda-find-rows | FileCheck %s

// One value is kept across the sum: four blocks at once have registers for it.
// CHECK-LABEL: func.func @keep_one
// CHECK: func.func private @keep_one_rows_block4_shifted({{.*}}["nvvm.minctasm", "4"]
func.func @keep_one(%x: !pl.tensor<[?, ?], bf16>, %y: !pl.tensor<[?, ?], bf16>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %0 = pl.load %x : <[?, ?], bf16>
  %1 = pl.cast %0 none : !pl.tile<[?, ?], bf16> -> !pl.tile<[?, ?], f32>
  %2 = pl.exp %1 : !pl.tile<[?, ?], f32>
  %3 = pl.reduce sum %2 axis 1 : <[?, ?], f32>
  %4 = pl.broadcast %3, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %5 = pl.mul %2, %4 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %6 = pl.cast %5 rint : !pl.tile<[?, ?], f32> -> !pl.tile<[?, ?], bf16>
  pl.store %6, %y : <[?, ?], bf16>, <[?, ?], bf16>
  return
}

// -----

// What was read of a tensor is not used where that is written.
// CHECK-LABEL: func.func @keep_one_in_place
// CHECK: func.func private @keep_one_in_place_rows_block4_shifted({{.*}}["nvvm.minctasm", "4"]
func.func @keep_one_in_place(%y: !pl.tensor<[?, ?], bf16>) {
  %m = pl.bind "M" %y[0] : !pl.tensor<[?, ?], bf16>
  %n = pl.bind "N" %y[1] : !pl.tensor<[?, ?], bf16>
  %0 = pl.load %y : <[?, ?], bf16>
  %1 = pl.cast %0 none : !pl.tile<[?, ?], bf16> -> !pl.tile<[?, ?], f32>
  %2 = pl.exp %1 : !pl.tile<[?, ?], f32>
  %3 = pl.reduce sum %2 axis 1 : <[?, ?], f32>
  %4 = pl.broadcast %3, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %5 = pl.mul %2, %4 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %6 = pl.cast %5 rint : !pl.tile<[?, ?], f32> -> !pl.tile<[?, ?], bf16>
  pl.store %6, %y : <[?, ?], bf16>, <[?, ?], bf16>
  return
}

// -----

// Two are: they take as many registers as they need.
// CHECK-LABEL: func.func @keep_two
// CHECK: func.func private @keep_two_rows_block4_shifted
// CHECK-NOT: nvvm.minctasm
func.func @keep_two(%x: !pl.tensor<[?, ?], bf16>, %y: !pl.tensor<[?, ?], bf16>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %0 = pl.load %x : <[?, ?], bf16>
  %1 = pl.cast %0 none : !pl.tile<[?, ?], bf16> -> !pl.tile<[?, ?], f32>
  %2 = pl.exp %1 : !pl.tile<[?, ?], f32>
  %3 = pl.reduce sum %2 axis 1 : <[?, ?], f32>
  %4 = pl.broadcast %3, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %5 = pl.mul %2, %4 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %6 = pl.add %5, %1 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %7 = pl.cast %6 rint : !pl.tile<[?, ?], f32> -> !pl.tile<[?, ?], bf16>
  pl.store %7, %y : <[?, ?], bf16>, <[?, ?], bf16>
  return
}

// -----

// Two that are kept across the first sum, and one across the last.
// CHECK-LABEL: func.func @keep_two_early
// CHECK: func.func private @keep_two_early_rows_block4_shifted
// CHECK-NOT: nvvm.minctasm
func.func @keep_two_early(%x: !pl.tensor<[?, ?], bf16>, %y: !pl.tensor<[?, ?], bf16>) {
  %m = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %n = pl.bind "N" %x[1], %y[1] : !pl.tensor<[?, ?], bf16>, !pl.tensor<[?, ?], bf16>
  %0 = pl.load %x : <[?, ?], bf16>
  %1 = pl.cast %0 none : !pl.tile<[?, ?], bf16> -> !pl.tile<[?, ?], f32>
  %2 = pl.exp %1 : !pl.tile<[?, ?], f32>
  %3 = pl.reduce sum %2 axis 1 : <[?, ?], f32>
  %4 = pl.broadcast %3, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %5 = pl.mul %2, %4 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %6 = pl.add %5, %1 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %7 = pl.reduce max %6 axis 1 : <[?, ?], f32>
  %8 = pl.broadcast %7, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %9 = pl.mul %6, %8 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %10 = pl.cast %9 rint : !pl.tile<[?, ?], f32> -> !pl.tile<[?, ?], bf16>
  pl.store %10, %y : <[?, ?], bf16>, <[?, ?], bf16>
  return
}

// -----

// A number that is stored for each row does not keep what follows from going
// group by group, in three blocks at once: weights are read where they are
// needed.
// CHECK-LABEL: func.func @store_number_of_row
// CHECK: func.func private @store_number_of_row_rows_block8_shifted({{.*}}["nvvm.minctasm", "3"]
func.func @store_number_of_row(%x: !pl.tensor<[?, ?], f32>, %w: !pl.tensor<[?], f32>, %s: !pl.tensor<[?, 1], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %x[0], %y[0], %s[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, 1], f32>
  %n = pl.bind "N" %x[1], %y[1], %w[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?], f32>
  %0 = pl.load %x : <[?, ?], f32>
  %1 = pl.reduce sum %0 axis 1 : <[?, ?], f32>
  pl.store %1, %s : <[?, 1], f32>, <[?, 1], f32>
  %2 = pl.broadcast %1, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %3 = pl.mul %0, %2 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  %4 = pl.load %w : <[?], f32>
  %5 = pl.broadcast %4, [%m, %n] : <[?], f32> -> <[?, ?], f32>
  %6 = pl.mul %3, %5 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %6, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}

// -----

// Rows that are stored before do.
// CHECK-LABEL: func.func @store_row
// CHECK: func.func private @store_row_rows_block8_shifted
// CHECK-NOT: nvvm.minctasm
func.func @store_row(%x: !pl.tensor<[?, ?], f32>, %w: !pl.tensor<[?], f32>, %z: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %m = pl.bind "M" %x[0], %y[0], %z[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[1], %z[1], %w[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>, !pl.tensor<[?], f32>
  %0 = pl.load %x : <[?, ?], f32>
  %1 = pl.reduce sum %0 axis 1 : <[?, ?], f32>
  %2 = pl.broadcast %1, [%m, %n] : <[?, 1], f32> -> <[?, ?], f32>
  %3 = pl.mul %0, %2 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %3, %z : <[?, ?], f32>, <[?, ?], f32>
  %4 = pl.load %w : <[?], f32>
  %5 = pl.broadcast %4, [%m, %n] : <[?], f32> -> <[?, ?], f32>
  %6 = pl.mul %3, %5 : !pl.tile<[?, ?], f32>, !pl.tile<[?, ?], f32>
  pl.store %6, %y : <[?, ?], f32>, <[?, ?], f32>
  return
}
