// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-vector-math | FileCheck %s
// RUN: tegula-opt %s --tegula-cpu-vector-math=vector-bits=256 | FileCheck %s --check-prefix=NARROW

// CHECK-LABEL: func.func @call_library
// CHECK:         llvm.call @_ZGVeN16v_expf(%{{.*}}) : (vector<16xf32>) -> vector<16xf32>
// CHECK:         llvm.call @_ZGVeN8vv_pow(%{{.*}}, %{{.*}})
// NARROW-LABEL: func.func @call_library
// NARROW-COUNT-2: llvm.call @_ZGVdN8v_expf
// NARROW-COUNT-2: llvm.call @_ZGVdN4vv_pow
func.func @call_library(%x: vector<16xf32>, %y: vector<8xf64>) -> (vector<16xf32>, vector<8xf64>) {
  %a = math.exp %x : vector<16xf32>
  %b = math.powf %y, %y : vector<8xf64>
  return %a, %b : vector<16xf32>, vector<8xf64>
}

// CHECK-LABEL: func.func @keep
// CHECK:         math.exp %{{.*}} : f32
// CHECK:         math.sqrt %{{.*}} : vector<16xf32>
func.func @keep(%x: f32, %y: vector<16xf32>) -> (f32, vector<16xf32>) {
  %a = math.exp %x : f32
  %b = math.sqrt %y : vector<16xf32>
  return %a, %b : f32, vector<16xf32>
}

// One rounding from FP64 to BF16: the step between is to odd.
// CHECK-LABEL: func.func @round_once
// CHECK:         arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
// CHECK:         arith.cmpf one
// CHECK:         arith.ori
// CHECK-NOT:     arith.truncf
func.func @round_once(%x: vector<8xf64>) -> vector<8xbf16> {
  %a = arith.truncf %x : vector<8xf64> to vector<8xbf16>
  return %a : vector<8xbf16>
}
