// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --pass-pipeline="builtin.module(func.func(tegula-cuda-assign-layouts))" | FileCheck %s --enable-var-scope
// RUN: tegula-opt %s --pass-pipeline="builtin.module(func.func(tegula-cuda-assign-layouts,tegula-cuda-distribute-tiles))" | FileCheck %s --enable-var-scope --check-prefix=THREAD

// What has no rule takes and makes tiles in memory; the rest of the loop stays in registers.

// CHECK-LABEL: @window
// THREAD-LABEL: @window
func.func @window(%a: !pl.tensor<[8, 64], f32>, %c: !pl.tensor<[8, 32], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // CHECK: %[[TAKEN:.*]] = pl.create_tensor{{.*}} : <[8, 64], f32>
    // CHECK: %[[MADE:.*]] = pl.create_tensor{{.*}} : <[8, 32], f32>
    // CHECK: %[[EXP:.*]] = pl.exp %{{.*}} {cuda.layout
    // CHECK: pl.store %[[EXP]], %[[TAKEN]] {cuda.layout
    // CHECK: cuda.block_region "'pl.window' has no rule for tiles in registers" {
    // CHECK:   %[[IN:.*]] = pl.load %[[TAKEN]] : <[8, 64], f32>
    // CHECK:   %[[PART:.*]] = pl.window %[[IN]]
    // CHECK:   pl.store %[[PART]], %[[MADE]] : <[8, 32], f32>
    // CHECK: }
    // CHECK: pl.load %[[MADE]] {cuda.layout = {{.*}}, cuda.ordered}
    // CHECK: pl.add {{.*}} {cuda.layout
    // All have stored when the threads begin together, and it is there when they load.
    // THREAD: llvm.store
    // THREAD: cuda.barrier
    // THREAD-NEXT: cuda.begin_block_region
    // THREAD-NEXT: pl.load
    // THREAD-NEXT: pl.window
    // THREAD-NEXT: pl.store
    // THREAD-NEXT: cuda.end_block_region
    // THREAD-NEXT: cuda.barrier
    // THREAD: llvm.load
    %x = pl.load %a : <[8, 64], f32>
    %e = pl.exp %x : !pl.tile<[8, 64], f32>
    %w = pl.window %e[%c0, %c32] [%c8, %c32] : !pl.tile<[8, 64], f32> -> !pl.tile<[8, 32], f32>
    %s = pl.add %w, %w : !pl.tile<[8, 32], f32>, !pl.tile<[8, 32], f32>
    pl.store %s, %c : <[8, 32], f32>, <[8, 32], f32>
  }
  return
}

// How long the tile is comes out of the region.

// CHECK-LABEL: @count
func.func @count(%a: !pl.tensor<[8, 64], f32>, %c: !pl.tensor<[8, 64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[8, 64], f32>
    %e = pl.exp %x : !pl.tile<[8, 64], f32>
    // CHECK: %[[COLUMNS:.*]] = cuda.block_region {{.*}} -> index {
    // CHECK:   %[[EXTENT:.*]] = pl.dim %{{.*}}[1]
    // CHECK:   cuda.block_yield %[[EXTENT]] : index
    // CHECK: %[[VIEW:.*]] = pl.slice {{.*}} [%{{.*}}, %[[COLUMNS]]] : <[8, 64], f32> -> <[8, upto 64], f32>
    // CHECK: pl.load %[[VIEW]] {cuda.layout
    %w = pl.window %e[%c0, %c0] [%c8, %n] : !pl.tile<[8, 64], f32> -> !pl.tile<[8, upto 64], f32>
    %s = pl.add %w, %w : !pl.tile<[8, upto 64], f32>, !pl.tile<[8, upto 64], f32>
    pl.store %s, %c : <[8, upto 64], f32>, <[8, 64], f32>
  }
  return
}

// All threads read the element.

// CHECK-LABEL: @element
func.func @element(%a: !pl.tensor<[8, 64], f32>, %c: !pl.tensor<[8, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[8, 64], f32>
    %e = pl.exp %x : !pl.tile<[8, 64], f32>
    // CHECK: %[[ELEMENT:.*]] = cuda.block_region "an element of a tile is read" -> f32 {
    // CHECK:   %[[READ:.*]] = pl.read %{{.*}}[%{{.*}}] : !pl.tile<[8, 64], f32>
    // CHECK:   cuda.block_yield %[[READ]] : f32
    // CHECK: pl.full %[[ELEMENT]]
    %v = pl.read %e[%c0, %c1] : !pl.tile<[8, 64], f32>
    %f = pl.full %v, [%c8, %c64] : f32 -> !pl.tile<[8, 64], f32>
    %s = pl.add %e, %f : !pl.tile<[8, 64], f32>, !pl.tile<[8, 64], f32>
    pl.store %s, %c : <[8, 64], f32>, <[8, 64], f32>
  }
  return
}

// Threads wait for each other where they write what others read, or read what others wrote.

// CHECK-LABEL: @in_place
// THREAD-LABEL: @in_place
func.func @in_place(%a: !pl.tensor<[8, 64], f32>, %c: !pl.tensor<[8, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // CHECK: pl.load %{{[a-z0-9]*}} : <[8, 64], f32>
    // CHECK: pl.load %{{.*}} {cuda.layout = {{.*}}, cuda.ordered}
    // THREAD-NOT: cuda.barrier
    // THREAD:     llvm.store
    // THREAD:     return
    %x = pl.load %a : <[8, 64], f32>
    %y = pl.load %c : <[8, 64], f32>
    %s = pl.add %x, %y : !pl.tile<[8, 64], f32>, !pl.tile<[8, 64], f32>
    pl.store %s, %c : <[8, 64], f32>, <[8, 64], f32>
  }
  return
}

// Threads hold the same twice: the second one would read what the first one has changed.

// THREAD-LABEL: @in_two_threads
func.func @in_two_threads(%c: !pl.tensor<[8, 4], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // THREAD:     llvm.load
    // THREAD:     cuda.barrier
    // THREAD:     llvm.store
    // THREAD-NOT: cuda.barrier
    // THREAD:     return
    %y = pl.load %c : <[8, 4], f32>
    %s = pl.add %y, %y : !pl.tile<[8, 4], f32>, !pl.tile<[8, 4], f32>
    pl.store %s, %c : <[8, 4], f32>, <[8, 4], f32>
  }
  return
}

// THREAD-LABEL: @read_again
func.func @read_again(%c: !pl.tensor<[8, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // THREAD: scf.for
    // THREAD: cuda.barrier
    // THREAD: llvm.load
    // THREAD: cuda.barrier
    // THREAD: llvm.store
    scf.for %j = %c0 to %c2 step %c1 {
      %y = pl.load %c : <[8, 64], f32>
      %s = pl.add %y, %y : !pl.tile<[8, 64], f32>, !pl.tile<[8, 64], f32>
      pl.store %s, %c : <[8, 64], f32>, <[8, 64], f32>
    }
  }
  return
}

// A tile that is made in front of the loop is made again where that is cheap, and comes through memory elsewhere.

// CHECK-LABEL: @outside
func.func @outside(%a: !pl.tensor<[8, 64], f32>, %b: !pl.tensor<[8, 64], f32>, %c: !pl.tensor<[8, 64], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %y = pl.load %b : <[8, 64], f32>
  %e = pl.exp %y : !pl.tile<[8, 64], f32>
  %m = pl.reduce sum %y axis 1 : <[8, 64], f32>
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    // CHECK: pl.reduce {{ *}}sum %{{.*}} axis 1
    // CHECK: %[[MEMORY:.*]] = pl.create_tensor{{.*}} : <[8, 1], f32>
    // CHECK: pl.store %{{.*}}, %[[MEMORY]] :
    // CHECK: pl.parallel
    // CHECK-NEXT: %[[AGAIN:.*]] = pl.load %{{[a-z0-9]*}} :
    // CHECK-NEXT: pl.exp %[[AGAIN]] {cuda.layout
    // CHECK-NEXT: pl.load %[[MEMORY]] :
    %x = pl.load %a : <[8, 64], f32>
    %s = pl.add %x, %e : !pl.tile<[8, 64], f32>, !pl.tile<[8, 64], f32>
    %f = pl.broadcast %m, [%c8, %c64] : <[8, 1], f32> -> <[8, 64], f32>
    %t = pl.mul %s, %f : !pl.tile<[8, 64], f32>, !pl.tile<[8, 64], f32>
    pl.store %t, %c : <[8, 64], f32>, <[8, 64], f32>
  }
  return
}

// Tiles that are put together to be stored are stored by themselves, and the second one begins where the first one ends.

// CHECK-LABEL: @halves
func.func @halves(%a: !pl.tensor<[8, ?], f32>, %b: !pl.tensor<[8, 32], f32>, %c: !pl.tensor<[8, 64], f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %v = pl.slice %a[%c0, %c0] [%c8, %c8] : <[8, ?], f32> -> <[8, upto 8], f32>
    %x = pl.load %v : <[8, upto 8], f32>
    %y = pl.load %b : <[8, 32], f32>
    // CHECK: %[[LEFT:.*]] = pl.exp
    // CHECK: %[[RIGHT:.*]] = pl.neg
    // CHECK-NOT: pl.concat
    // CHECK: %[[LENGTH:.*]] = pl.dim %[[LEFT]][1]
    // CHECK: pl.store %[[LEFT]]
    // CHECK: %[[REST:.*]] = pl.slice %{{.*}}[%{{.*}}, %[[LENGTH]]]
    // CHECK: pl.store %[[RIGHT]], %[[REST]]
    %e = pl.exp %x : !pl.tile<[8, upto 8], f32>
    %f = pl.neg %y : !pl.tile<[8, 32], f32>
    %t = pl.concat %e, %f axis 1 : <[8, upto 8], f32>, <[8, 32], f32>
    pl.store %t, %c : <[8, upto 40], f32>, <[8, 64], f32>
  }
  return
}

// Where nothing would be computed in registers, no tile is.

// CHECK-LABEL: @nothing_left
// CHECK-NOT:     cuda.block_region
// CHECK:         {cuda.loop_rejection = #cuda.loop_rejection<"'pl.window' has no rule for tiles in registers" at #{{.*}}>}
func.func @nothing_left(%a: !pl.tensor<[8, 64], f32>, %c: !pl.tensor<[8, 32], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[8, 64], f32>
    %w = pl.window %x[%c0, %c32] [%c8, %c32] : !pl.tile<[8, 64], f32> -> !pl.tile<[8, 32], f32>
    pl.store %w, %c : <[8, 32], f32>, <[8, 32], f32>
  }
  return
}

// Nor where a tile has no elements.

// CHECK-LABEL: @no_elements
// CHECK:         {cuda.loop_rejection = #cuda.loop_rejection<"a tile has no elements" at #{{.*}}>}
func.func @no_elements(%a: !pl.tensor<[8, 64], f32>, %c: !pl.tensor<[8, 32], f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  pl.parallel %i = %c0 to %c1 step %c1 independent {
    %x = pl.load %a : <[8, 64], f32>
    %e = pl.exp %x : !pl.tile<[8, 64], f32>
    %w = pl.window %e[%c0, %c0] [%c8, %c0] : !pl.tile<[8, 64], f32> -> !pl.tile<[8, 0], f32>
    %f = pl.exp %w : !pl.tile<[8, 0], f32>
    pl.store %f, %c : <[8, 0], f32>, <[8, 32], f32>
  }
  return
}
