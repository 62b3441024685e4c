// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --split-input-file | FileCheck %s

// The size of the tensor decides, once for a call. What was stored is there when the function ends.
// CHECK-LABEL: func.func @only_stored
// CHECK:         %[[LARGE:.*]] = arith.cmpi sge, %{{.*}}, %c16777216
// CHECK:         scf.for
// CHECK:           cpu.stream %{{.*}} if %[[LARGE]]
// CHECK:         scf.if %[[LARGE]] {
// CHECK-NEXT:      llvm.fence seq_cst
func.func @only_stored(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  scf.for %i = %c0 to %n step %c64 {
    %a = pl.slice %x[%i] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
    %t = pl.load %a : !pl.tensor<[upto 64], f32>
    %e = pl.abs %t : !pl.tile<[upto 64], f32>
    %b = pl.slice %y[%i] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
    pl.store %e, %b : !pl.tile<[upto 64], f32>, !pl.tensor<[upto 64], f32>
  }
  return
}

// -----

// What is read again is better kept.
// CHECK-LABEL: func.func @read_again
// CHECK-NOT:     cpu.stream
func.func @read_again(%x: !pl.tensor<[?], f32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = pl.bind "N" %x[0] : !pl.tensor<[?], f32>
  scf.for %i = %c0 to %n step %c64 {
    %a = pl.slice %x[%i] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
    %t = pl.load %a : !pl.tensor<[upto 64], f32>
    %e = pl.abs %t : !pl.tile<[upto 64], f32>
    pl.store %e, %a : !pl.tile<[upto 64], f32>, !pl.tensor<[upto 64], f32>
  }
  return
}

// -----

// So is what the next iteration writes again.
// CHECK-LABEL: func.func @written_again
// CHECK-NOT:     cpu.stream
func.func @written_again(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  scf.for %i = %c0 to %n step %c64 {
    %a = pl.slice %x[%i] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
    %t = pl.load %a : !pl.tensor<[upto 64], f32>
    %e = pl.abs %t : !pl.tile<[upto 64], f32>
    %b = pl.slice %y[%c0] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
    pl.store %e, %b : !pl.tile<[upto 64], f32>, !pl.tensor<[upto 64], f32>
  }
  return
}

// -----

// A tensor that is known to be small.
// CHECK-LABEL: func.func @small
// CHECK-NOT:     cpu.stream
func.func @small(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>) {
  %t = pl.load %x : !pl.tensor<[64], f32>
  %e = pl.abs %t : !pl.tile<[64], f32>
  pl.store %e, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// -----

// What is computed for long is computed while caches write what was stored.
// CHECK-LABEL: func.func @computed_slowly
// CHECK-NOT:     cpu.stream
func.func @computed_slowly(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  scf.for %i = %c0 to %n step %c64 {
    %a = pl.slice %x[%i] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
    %t = pl.load %a : !pl.tensor<[upto 64], f32>
    %e = pl.exp %t : !pl.tile<[upto 64], f32>
    %u = pl.abs %e : !pl.tile<[upto 64], f32>
    %b = pl.slice %y[%i] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
    pl.store %u, %b : !pl.tile<[upto 64], f32>, !pl.tensor<[upto 64], f32>
  }
  return
}

// -----

// Columns that become rows are copied by a routine, which gets a flag.
// CHECK-LABEL: func.func @transposed
// CHECK:         %[[LARGE:.*]] = arith.cmpi sge, %{{.*}}, %c16777216
// CHECK:         %[[FLAG:.*]] = arith.extui %[[LARGE]] : i1 to i32
// CHECK:         llvm.call @tegulaTransposeRows({{.*}}, %[[FLAG]])
// CHECK-NOT:     tegulaCopyRows
func.func @transposed(%x: !pl.tensor<[?, ?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %m = pl.bind "M" %x[0], %y[1] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  %n = pl.bind "N" %x[1], %y[0] : !pl.tensor<[?, ?], f32>, !pl.tensor<[?, ?], f32>
  scf.for %i = %c0 to %n step %c64 {
    scf.for %j = %c0 to %m step %c64 {
      %a = pl.slice %x[%j, %i] [%c64, %c64] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 64, upto 64], f32>
      %t = pl.load %a : !pl.tensor<[upto 64, upto 64], f32>
      %u = pl.transpose %t [1, 0] : !pl.tile<[upto 64, upto 64], f32>
      %b = pl.slice %y[%i, %j] [%c64, %c64] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 64, upto 64], f32>
      pl.store %u, %b : !pl.tile<[upto 64, upto 64], f32>, !pl.tensor<[upto 64, upto 64], f32>
    }
  }
  return
}
