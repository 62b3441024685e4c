// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-lower-tiles --split-input-file | FileCheck %s

// While powers are computed, there is time to fetch the rows of the next iteration.
// CHECK-LABEL: func.func @powers_of_rows
// CHECK:         %[[FAR:.*]] = arith.cmpi sge, %{{.*}}, %c16777216
// CHECK:         cpu.uncached %{{.*}} if %[[FAR]]
func.func @powers_of_rows(%x: !pl.tensor<[?, 512], f32>, %y: !pl.tensor<[?, 512], f32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c512 = arith.constant 512 : index
  %n = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?, 512], f32>, !pl.tensor<[?, 512], f32>
  scf.for %i = %c0 to %n step %c4 {
    %a = pl.slice %x[%i, %c0] [%c4, %c512] : !pl.tensor<[?, 512], f32> -> !pl.tensor<[upto 4, 512], f32>
    %t = pl.load %a : !pl.tensor<[upto 4, 512], f32>
    %e = pl.exp %t : !pl.tile<[upto 4, 512], f32>
    %b = pl.slice %y[%i, %c0] [%c4, %c512] : !pl.tensor<[?, 512], f32> -> !pl.tensor<[upto 4, 512], f32>
    pl.store %e, %b : !pl.tile<[upto 4, 512], f32>, !pl.tensor<[upto 4, 512], f32>
  }
  return
}

// -----

// There is none where little is computed.
// CHECK-LABEL: func.func @quick
// CHECK-NOT:     cpu.uncached
func.func @quick(%x: !pl.tensor<[?, 512], f32>, %y: !pl.tensor<[?, 512], f32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c512 = arith.constant 512 : index
  %n = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?, 512], f32>, !pl.tensor<[?, 512], f32>
  scf.for %i = %c0 to %n step %c4 {
    %a = pl.slice %x[%i, %c0] [%c4, %c512] : !pl.tensor<[?, 512], f32> -> !pl.tensor<[upto 4, 512], f32>
    %t = pl.load %a : !pl.tensor<[upto 4, 512], f32>
    %e = pl.abs %t : !pl.tile<[upto 4, 512], f32>
    %b = pl.slice %y[%i, %c0] [%c4, %c512] : !pl.tensor<[?, 512], f32> -> !pl.tensor<[upto 4, 512], f32>
    pl.store %e, %b : !pl.tile<[upto 4, 512], f32>, !pl.tensor<[upto 4, 512], f32>
  }
  return
}

// -----

// Nor are rows fetched that an iteration leaves out, or has already.
// CHECK-LABEL: func.func @other_rows
// CHECK-NOT:     cpu.uncached
func.func @other_rows(%x: !pl.tensor<[?, 512], f32>, %y: !pl.tensor<[?, 512], f32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c512 = arith.constant 512 : index
  %n = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?, 512], f32>, !pl.tensor<[?, 512], f32>
  scf.for %i = %c0 to %n step %c2 {
    %a = pl.slice %x[%i, %c0] [%c4, %c512] : !pl.tensor<[?, 512], f32> -> !pl.tensor<[upto 4, 512], f32>
    %t = pl.load %a : !pl.tensor<[upto 4, 512], f32>
    %e = pl.exp %t : !pl.tile<[upto 4, 512], f32>
    %b = pl.slice %y[%i, %c0] [%c4, %c512] : !pl.tensor<[?, 512], f32> -> !pl.tensor<[upto 4, 512], f32>
    pl.store %e, %b : !pl.tile<[upto 4, 512], f32>, !pl.tensor<[upto 4, 512], f32>
  }
  return
}
