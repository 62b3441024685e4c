// RUN: tegula-opt %s --tegula-inline-functions --split-input-file | FileCheck %s --check-prefixes=ALL,NONE
// RUN: tegula-opt %s --tegula-inline-functions=keep=incore,opaque --split-input-file | FileCheck %s --check-prefixes=ALL,KEPT

// A function of a kind that the machine keeps stays.
// ALL-LABEL: func.func @kept
// NONE: pl.load
// NONE: pl.load
// KEPT: call @copy
// KEPT: call @copy
// ALL: return
func.func @kept(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>, %z: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<entry>} {
  func.call @copy(%x, %y) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  func.call @copy(%y, %z) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  return
}
// NONE-NOT: @copy
// KEPT: func.func private @copy({{.*}} attributes {no_inline, pl.kind = #pl.kind<incore>}
func.func private @copy(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<incore>} {
  %t = pl.load %x : <[4], f32>
  pl.store %t, %y : <[4], f32>, <[4], f32>
  return
}

// -----

// Not if the two tensors are one, directly or as windows.
// ALL-LABEL: func.func @shared
// ALL-NOT: call
// ALL: return
func.func @shared(%x: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<entry>} {
  func.call @copy(%x, %x) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  return
}
// ALL-NOT: @copy
func.func private @copy(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<incore>} {
  %t = pl.load %x : <[4], f32>
  pl.store %t, %y : <[4], f32>, <[4], f32>
  return
}

// -----

// Found through a function that is inlined itself, at one of two calls.
// ALL-LABEL: func.func @through
// ALL-NOT: call
// ALL: return
func.func @through(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<entry>} {
  func.call @both(%x, %y) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  func.call @both(%y, %y) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  return
}
func.func private @both(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<inline>} {
  func.call @copy(%x, %y) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  return
}
func.func private @copy(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<incore>} {
  %t = pl.load %x : <[4], f32>
  pl.store %t, %y : <[4], f32>, <[4], f32>
  return
}

// -----

// What a function that goes away calls goes with it.
// ALL-LABEL: func.func @goes
// ALL-NOT: call
// ALL: return
func.func @goes(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<entry>} {
  func.call @chip(%x, %x) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  return
}
func.func private @chip(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<opaque>} {
  func.call @copy(%x, %y) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  return
}
func.func private @copy(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<incore>} {
  %t = pl.load %x : <[4], f32>
  pl.store %t, %y : <[4], f32>, <[4], f32>
  return
}

// -----

// Not on a core already, and not if tiles are handed over.
// ALL-LABEL: func.func @core
// ALL-NOT: call
// ALL: return
func.func @core(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<entry>} {
  pl.at core_group {
    func.call @copy(%x, %y) : (!pl.tensor<[4], f32>, !pl.tensor<[4], f32>) -> ()
  }
  %t = pl.load %x : <[4], f32>
  %u = func.call @twice(%t) : (!pl.tile<[4], f32>) -> !pl.tile<[4], f32>
  pl.store %u, %y : <[4], f32>, <[4], f32>
  return
}
func.func private @copy(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<incore>} {
  %t = pl.load %x : <[4], f32>
  pl.store %t, %y : <[4], f32>, <[4], f32>
  return
}
func.func private @twice(%t: !pl.tile<[4], f32>) -> !pl.tile<[4], f32> attributes {pl.kind = #pl.kind<incore>} {
  %u = pl.add %t, %t : !pl.tile<[4], f32>, !pl.tile<[4], f32>
  return %u : !pl.tile<[4], f32>
}

// -----

// A barrier is for the blocks of the caller's grid.
// ALL-LABEL: func.func @waits
// ALL-NOT: call
// ALL: pl.barrier
func.func @waits(%x: !pl.tensor<[4], f32>, %y: !pl.tensor<[4], f32>) attributes {pl.kind = #pl.kind<entry>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  pl.parallel grid %b = %c0 to %c2 step %c1 {
    func.call @wait() : () -> ()
  }
  return
}
func.func private @wait() attributes {pl.kind = #pl.kind<incore>} {
  pl.barrier grid
  return
}
