// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --split-input-file --verify-diagnostics

func.func @sizes(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{elements must be powers of two, got 3}}
  %r = cuda.convert_layout %t : <[8, 8], f32> to #cuda.blocked<elements = [1, 3], lanes = [4, 8], warps = [1, 1]>
  return
}

// -----

func.func @lanes(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{a warp has 32 lanes, got 16}}
  %r = cuda.convert_layout %t : <[8, 8], f32> to #cuda.blocked<elements = [1, 1], lanes = [2, 8], warps = [1, 1]>
  return
}

// -----

func.func @axes(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{elements, lanes and warps must have one size for each axis, got 1, 2 and 2}}
  %r = cuda.convert_layout %t : <[8, 8], f32> to #cuda.blocked<elements = [1], lanes = [4, 8], warps = [1, 1]>
  return
}

// -----

func.func @accumulator(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{an accumulator has two axes of warps, got 1}}
  %r = cuda.convert_layout %t : <[8, 8], f32> to #cuda.mma<warps = [4]>
  return
}

// -----

func.func @operand(%t: !pl.tile<[8, 8], f32>) {
  // expected-error @+1 {{elements have 8, 16 or 32 bits, got 4}}
  %r = cuda.convert_layout %t : <[8, 8], f32> to #cuda.dot_operand<lhs, <warps = [1, 1]>, bits = 4>
  return
}

// -----

func.func @slice(%t: !pl.tile<[8], f32>) {
  // expected-error @+1 {{a slice must be of a layout, got 1 : i64}}
  %r = cuda.convert_layout %t : <[8], f32> to #cuda.slice<0, 1 : i64>
  return
}

// -----

func.func @no_layout(%t: !pl.tile<[8], f32>) {
  // expected-error @+1 {{must be to a layout, got 1 : i64}}
  %r = cuda.convert_layout %t : <[8], f32> to 1 : i64
  return
}

// -----

func.func @attribute(%t: !pl.tile<[8], f32>) {
  // expected-error @+1 {{'cuda.layout' must be a layout, got 1 : i64}}
  %r = pl.exp %t {cuda.layout = 1 : i64} : !pl.tile<[8], f32>
  return
}

// -----

func.func @results(%t: !pl.tile<[8], f32>) {
  // expected-error @+1 {{'cuda.layouts' must have one layout for each of the 1 results, got []}}
  %r = pl.exp %t {cuda.layouts = []} : !pl.tile<[8], f32>
  return
}

// -----

func.func @tiles_only(%t: !pl.tile<[8], f32>) {
  // expected-error @+1 {{'cuda.layouts' must have layouts for tiles only, got unit for '!pl.tile<[8], f32>'}}
  %r = pl.exp %t {cuda.layouts = [unit]} : !pl.tile<[8], f32>
  return
}

// -----

func.func @ordered_full() {
  %c8 = arith.constant 8 : index
  %x = arith.constant 1.0 : f32
  // expected-error@+1 {{'cuda.ordered' must be on a load or a read}}
  %t = pl.full %x, [%c8] {cuda.ordered} : f32 -> <[8], f32>
  return
}
