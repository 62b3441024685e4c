// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tegula-tile-matmul-readers))' | FileCheck %s

// An iteration reads rows of the next one as well.

// CHECK-LABEL: @keep_longer_window
// CHECK:         pl.matmul_into %arg0, %arg1 into
// CHECK:         scf.for
// CHECK-NOT:     pl.matmul_into
func.func @keep_longer_window(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 8], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  %s = pl.create_tensor[%M, %c8] : <[?, 8], f32>
  pl.matmul_into %a, %b into %s : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[?, 8], f32>
  scf.for %i = %c0 to %M step %c4 {
    %next = arith.addi %i, %c1 : index
    %w = pl.slice %s[%next, %c0] [%c4, %c8] : <[?, 8], f32> -> <[upto 4, 8], f32>
    %t = pl.load %w : <[upto 4, 8], f32>
    %to = pl.slice %c[%i, %c0] [%c4, %c8] : <[?, 8], f32> -> <[upto 4, 8], f32>
    pl.store %t, %to : <[upto 4, 8], f32>, <[upto 4, 8], f32>
  }
  return
}

// The step may be none that is positive.

// CHECK-LABEL: @keep_any_step
// CHECK:         pl.matmul_into %arg0, %arg1 into
// CHECK:         scf.for
// CHECK-NOT:     pl.matmul_into
func.func @keep_any_step(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 8], f32>, %step: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  %s = pl.create_tensor[%M, %c8] : <[?, 8], f32>
  pl.matmul_into %a, %b into %s : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[?, 8], f32>
  scf.for %i = %c0 to %M step %step {
    %w = pl.slice %s[%i, %c0] [%step, %c8] : <[?, 8], f32> -> <[?, 8], f32>
    %t = pl.load %w : <[?, 8], f32>
    %to = pl.slice %c[%i, %c0] [%step, %c8] : <[?, 8], f32> -> <[?, 8], f32>
    pl.store %t, %to : <[?, 8], f32>, <[?, 8], f32>
  }
  return
}

// An operand is written by an iteration, or by what comes before the loop.

// CHECK-LABEL: @keep_written
// CHECK:         pl.matmul_into %arg0, %arg1 into
// CHECK:         scf.for
// CHECK-NOT:     pl.matmul_into
func.func @keep_written(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %a[0] : !pl.tensor<[?, 8], f32>
  %s = pl.create_tensor[%M, %c8] : <[?, 8], f32>
  pl.matmul_into %a, %b into %s : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[?, 8], f32>
  scf.for %i = %c0 to %M step %c8 {
    %w = pl.slice %s[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
    %t = pl.load %w : <[upto 8, 8], f32>
    %to = pl.slice %a[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
    pl.store %t, %to : <[upto 8, 8], f32>, <[upto 8, 8], f32>
  }
  return
}

// CHECK-LABEL: @keep_written_before
// CHECK:         pl.matmul_into %arg0, %arg1 into
// CHECK:         pl.store
// CHECK:         scf.for
// CHECK-NOT:     pl.matmul_into
func.func @keep_written_before(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 8], f32>, %z: !pl.tile<[8, 8], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  %s = pl.create_tensor[%M, %c8] : <[?, 8], f32>
  pl.matmul_into %a, %b into %s : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[?, 8], f32>
  pl.store %z, %b : <[8, 8], f32>, <[8, 8], f32>
  scf.for %i = %c0 to %M step %c8 {
    %w = pl.slice %s[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
    %t = pl.load %w : <[upto 8, 8], f32>
    %to = pl.slice %c[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
    pl.store %t, %to : <[upto 8, 8], f32>, <[upto 8, 8], f32>
  }
  return
}

// Two loops read it.

// CHECK-LABEL: @keep_two_loops
// CHECK:         pl.matmul_into %arg0, %arg1 into
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK-NOT:     pl.matmul_into
func.func @keep_two_loops(%a: !pl.tensor<[?, 8], f32>, %b: !pl.tensor<[8, 8], f32>, %c: !pl.tensor<[?, 8], f32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %M = pl.bind "M" %a[0], %c[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?, 8], f32>
  %s = pl.create_tensor[%M, %c8] : <[?, 8], f32>
  pl.matmul_into %a, %b into %s : !pl.tensor<[?, 8], f32>, !pl.tensor<[8, 8], f32>, !pl.tensor<[?, 8], f32>
  scf.for %i = %c0 to %M step %c8 {
    %w = pl.slice %s[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
    %t = pl.load %w : <[upto 8, 8], f32>
    %to = pl.slice %c[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
    pl.store %t, %to : <[upto 8, 8], f32>, <[upto 8, 8], f32>
  }
  scf.for %i = %c0 to %M step %c8 {
    %w = pl.slice %s[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
    %t = pl.load %w : <[upto 8, 8], f32>
    %to = pl.slice %c[%i, %c0] [%c8, %c8] : <[?, 8], f32> -> <[upto 8, 8], f32>
    pl.store %t, %to : <[upto 8, 8], f32>, <[upto 8, 8], f32>
  }
  return
}
