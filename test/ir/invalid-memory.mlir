// RUN: tegula-opt %s --split-input-file --verify-diagnostics
// What the ops on memory refuse.

func.func @bind_nothing() {
  // expected-error @+1 {{needs at least one axis}}
  %n = "pl.bind"() {symbol = "N", axes = array<i64>} : () -> index
  return
}

// -----

func.func @bind_counts(%x: !pl.tensor<[?], f32>) {
  // expected-error @+1 {{has 1 tensors but 2 axes}}
  %n = "pl.bind"(%x) {symbol = "N", axes = array<i64: 0, 0>} : (!pl.tensor<[?], f32>) -> index
  return
}

// -----

func.func @bind_value(%n: index) {
  %x = pl.create_tensor [%n] : !pl.tensor<[?], f32>
  // expected-error @+1 {{binds extents of function arguments only}}
  %m = pl.bind "N" %x[0] : !pl.tensor<[?], f32>
  return
}

// -----

func.func @bind_axis(%x: !pl.tensor<[?], f32>) {
  // expected-error @+1 {{axis 1 is out of range for rank 1}}
  %m = pl.bind "N" %x[1] : !pl.tensor<[?], f32>
  return
}

// -----

func.func @bind_exact(%x: !pl.tensor<[8], f32>) {
  // expected-error @+1 {{axis 0 is exactly 8 and cannot be a symbol}}
  %m = pl.bind "N" %x[0] : !pl.tensor<[8], f32>
  return
}

// -----

func.func @dim_axis(%x: !pl.tile<[8], f32>) {
  // expected-error @+1 {{axis 1 is out of range for rank 1}}
  %m = pl.dim %x[1] : !pl.tile<[8], f32>
  return
}

// -----

func.func @create_rank(%n: index) {
  // expected-error @+1 {{expects 2 sizes, got 1}}
  %x = pl.create_tensor [%n] : !pl.tensor<[?, ?], f32>
  return
}

// -----

func.func @create_size() {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{size 4 of axis 0 does not fit the result type}}
  %x = pl.create_tensor [%c4] : !pl.tensor<[8], f32>
  return
}

// -----

func.func @slice_counts(%x: !pl.tensor<[?, ?], f32>, %n: index) {
  // expected-error @+1 {{expects 2 offsets and sizes, got 1 and 2}}
  %v = pl.slice %x[%n] [%n, %n] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?, ?], f32>
  return
}

// -----

func.func @slice_drop_range(%x: !pl.tensor<[?], f32>, %n: index) {
  // expected-error @+1 {{dropped axes must increase and be below 1, got 1}}
  %v = pl.slice %x[%n] [%n] drop [1] : !pl.tensor<[?], f32> -> !pl.tensor<[], f32>
  return
}

// -----

func.func @slice_drop_order(%x: !pl.tensor<[?, ?], f32>, %n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{dropped axes must increase and be below 2, got 0}}
  %v = pl.slice %x[%n, %n] [%c1, %c1] drop [1, 0] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[], f32>
  return
}

// -----

func.func @slice_drop_size(%x: !pl.tensor<[?, ?], f32>, %n: index) {
  // expected-error @+1 {{dropped axis 0 must have size 1}}
  %v = pl.slice %x[%n, %n] [%n, %n] drop [0] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?], f32>
  return
}

// -----

func.func @slice_rank(%x: !pl.tensor<[?, ?], f32>, %n: index) {
  // expected-error @+1 {{result must have rank 2, got 1}}
  %v = pl.slice %x[%n, %n] [%n, %n] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?], f32>
  return
}

// -----

func.func @slice_element(%x: !pl.tensor<[?], f32>, %n: index) {
  // expected-error @+1 {{cannot change the element type}}
  %v = pl.slice %x[%n] [%n] : !pl.tensor<[?], f32> -> !pl.tensor<[?], f16>
  return
}

// -----

func.func @store_element(%t: !pl.tile<[8], f32>, %x: !pl.tensor<[?], f16>) {
  // expected-error @+1 {{cannot store FP32 in a tensor of FP16}}
  pl.store %t, %x : !pl.tile<[8], f32>, !pl.tensor<[?], f16>
  return
}

// -----

func.func @store_rank(%t: !pl.tile<[8], f32>, %x: !pl.tensor<[?, ?], f32>) {
  // expected-error @+1 {{cannot store a tile of rank 1 in a view of rank 2}}
  pl.store %t, %x : !pl.tile<[8], f32>, !pl.tensor<[?, ?], f32>
  return
}

// -----

func.func @read(%x: !pl.tensor<[?, ?], f32>, %i: index) {
  // expected-error @+1 {{expects 2 indices, got 1}}
  %v = pl.read %x[%i] : !pl.tensor<[?, ?], f32>
  return
}

// -----

func.func @write(%v: f32, %x: !pl.tensor<[?], f32>, %i: index) {
  // expected-error @+1 {{expects 1 indices, got 2}}
  pl.write %v, %x[%i, %i] : f32, !pl.tensor<[?], f32>
  return
}

// -----

func.func @write_element(%v: f16, %x: !pl.tensor<[?], f32>, %i: index) {
  // expected-error @+1 {{cannot write FP16 to a tensor of FP32}}
  pl.write %v, %x[%i] : f16, !pl.tensor<[?], f32>
  return
}

// -----

func.func @scan_rank(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?, ?], f32>) {
  // expected-error @+1 {{both tensors must have one rank, got 1 and 2}}
  pl.scan sum %x axis 0 into %y : !pl.tensor<[?], f32>, !pl.tensor<[?, ?], f32>
  return
}

// -----

func.func @scan_axis(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f32>) {
  // expected-error @+1 {{axis 1 is out of range for rank 1}}
  pl.scan sum %x axis 1 into %y : !pl.tensor<[?], f32>, !pl.tensor<[?], f32>
  return
}

// -----

func.func @scan_element(%x: !pl.tensor<[?], f32>, %y: !pl.tensor<[?], f64>) {
  // expected-error @+1 {{both tensors must hold one number type, got 'f32' and 'f64'}}
  pl.scan sum %x axis 0 into %y : !pl.tensor<[?], f32>, !pl.tensor<[?], f64>
  return
}

// -----

func.func @atomic_number(%x: !pl.tensor<[4], f32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'pl.atomic' is a unit attribute of what reads or writes memory, got 1 : i64}}
  %s = pl.read %x[%c0] {pl.atomic = 1} : !pl.tensor<[4], f32>
  return
}
