// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --mlir-disable-threading --tegula-print-plan -o /dev/null | FileCheck %s

// A tensor lies where one was that nothing reads any more. Both that one loop touches have slots of their own.
// CHECK-LABEL: plan of @chain
// CHECK:        tensors in one piece of memory
// CHECK-NEXT:     slot of %[[A:.*]], then %[[C:.*]]{{$}}
// CHECK-NEXT:     slot of %[[B:[^,]*]]{{$}}
func.func @chain(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  %N = pl.bind "N" %x[0], %y[0] : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = pl.create_tensor [%N] : !pl.tensor<[?], f32>
  pl.parallel %i = %c0 to %N step %c8 independent {
    %from = pl.slice %x[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %to = pl.slice %a[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %t = pl.load %from : !pl.tensor<[upto 8], f32>
    pl.store %t, %to : !pl.tile<[upto 8], f32>, !pl.tensor<[upto 8], f32>
  }
  %b = pl.create_tensor [%N] : !pl.tensor<[?], f32>
  pl.parallel %i = %c0 to %N step %c8 independent {
    %from = pl.slice %a[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %to = pl.slice %b[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %t = pl.load %from : !pl.tensor<[upto 8], f32>
    pl.store %t, %to : !pl.tile<[upto 8], f32>, !pl.tensor<[upto 8], f32>
  }
  %c = pl.create_tensor [%N] : !pl.tensor<[?], f32>
  pl.parallel %i = %c0 to %N step %c8 independent {
    %from = pl.slice %b[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %to = pl.slice %c[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %t = pl.load %from : !pl.tensor<[upto 8], f32>
    pl.store %t, %to : !pl.tile<[upto 8], f32>, !pl.tensor<[upto 8], f32>
  }
  pl.parallel %i = %c0 to %N step %c8 independent {
    %from = pl.slice %c[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %to = pl.slice %y[%i] [%c8] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 8], f32>
    %t = pl.load %from : !pl.tensor<[upto 8], f32>
    pl.store %t, %to : !pl.tile<[upto 8], f32>, !pl.tensor<[upto 8], f32>
  }
  return
}

// What is loaded may be read where its tile is stored, after another tensor was written.
// CHECK-LABEL: plan of @load_is_read_later
// CHECK:        tensors in one piece of memory
// CHECK-NEXT:     slot of %{{[^,]*}}{{$}}
// CHECK-NEXT:     slot of %{{[^,]*}}{{$}}
func.func @load_is_read_later(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>) {
  %c64 = arith.constant 64 : index
  %a = pl.create_tensor [%c64] : !pl.tensor<[64], f32>
  %b = pl.create_tensor [%c64] : !pl.tensor<[64], f32>
  %t = pl.load %x : !pl.tensor<[64], f32>
  pl.store %t, %a : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  %u = pl.load %a : !pl.tensor<[64], f32>
  %n = pl.neg %u : !pl.tile<[64], f32>
  pl.store %t, %b : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  pl.store %n, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  %v = pl.load %b : !pl.tensor<[64], f32>
  pl.store %v, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// A window that a loop carries around is the tensor, and so is what the loop gives.
// CHECK-LABEL: plan of @carried
// CHECK:        tensors in one piece of memory
// CHECK-NEXT:     slot of %{{[^,]*}}{{$}}
// CHECK-NEXT:     slot of %{{[^,]*}}{{$}}
func.func @carried(%x: !pl.tensor<[64], f32>, %y: !pl.tensor<[64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = pl.create_tensor [%c64] : !pl.tensor<[64], f32>
  %t = pl.load %x : !pl.tensor<[64], f32>
  pl.store %t, %a : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%w = %a) -> (!pl.tensor<[64], f32>) {
    scf.yield %w : !pl.tensor<[64], f32>
  }
  %b = pl.create_tensor [%c64] : !pl.tensor<[64], f32>
  pl.store %t, %b : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  %u = pl.load %r : !pl.tensor<[64], f32>
  pl.store %u, %y : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  %v = pl.load %b : !pl.tensor<[64], f32>
  pl.store %v, %x : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  return
}

// How large it is depends on data that is read when the first one is there already.
// CHECK-LABEL: plan of @size_from_data
// CHECK-NOT:    tensors in one piece of memory
func.func @size_from_data(%x: !pl.tensor<[64], f32>, %s: !pl.tensor<[1], i64>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = pl.create_tensor [%c64] : !pl.tensor<[64], f32>
  %t = pl.load %x : !pl.tensor<[64], f32>
  pl.store %t, %a : !pl.tile<[64], f32>, !pl.tensor<[64], f32>
  %read = pl.read %s[%c0] : !pl.tensor<[1], i64>
  %n = arith.index_cast %read : i64 to index
  %b = pl.create_tensor [%n] : !pl.tensor<[?], f32>
  %w = pl.slice %b[%c0] [%c64] : !pl.tensor<[?], f32> -> !pl.tensor<[upto 64], f32>
  %u = pl.load %a : !pl.tensor<[64], f32>
  pl.store %u, %w : !pl.tile<[64], f32>, !pl.tensor<[upto 64], f32>
  return
}
