// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cpu-vector-math | FileCheck %s
// RUN: tegula-opt %s --tegula-cpu-vector-math=vector-bits=256 | FileCheck %s --check-prefix=NARROW
// RUN: tegula-opt %s --tegula-cpu-vector-math=vector-bits=128 | FileCheck %s --check-prefix=UNFUSED

// Nothing is called; with AVX-512 one instruction scales.
// CHECK-LABEL: func.func @expand
// CHECK-NOT:     llvm.call @
// CHECK:         math.fma %{{.*}} : vector<16xf32>
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// CHECK-NOT:     math.{{exp|powf}}
// CHECK:         return
// NARROW-LABEL: func.func @expand
// NARROW-NOT:     llvm.call
// NARROW:         math.fma %{{.*}} : vector<16xf32>
// NARROW:         return
// UNFUSED-LABEL: func.func @expand
// UNFUSED:         arith.mulf %{{.*}} : vector<16xf32>
// UNFUSED:         return
func.func @expand(%x: vector<16xf32>, %y: vector<8xf64>) -> (vector<16xf32>, vector<8xf64>) {
  %a = math.exp %x : vector<16xf32>
  %b = math.powf %y, %y : vector<8xf64>
  return %a, %b : vector<16xf32>, vector<8xf64>
}

// Half a vector is scaled so, too.
// CHECK-LABEL: func.func @expand_half
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.256"
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.256"
// NARROW-LABEL: func.func @expand_half
// NARROW-NOT:     llvm.call
// NARROW:         return
func.func @expand_half(%x: vector<8xf32>, %y: vector<4xf64>) -> (vector<8xf32>, vector<4xf64>) {
  %a = math.exp %x : vector<8xf32>
  %b = math.exp %y : vector<4xf64>
  return %a, %b : vector<8xf32>, vector<4xf64>
}

// Scalars are expanded as well, so that an element is the same wherever it is.
// CHECK-LABEL: func.func @expand_scalar
// CHECK-NOT:     math.exp
// CHECK:         math.fma %{{.*}} : f32
func.func @expand_scalar(%x: f32) -> f32 {
  %a = math.exp %x : f32
  return %a : f32
}

// Large angles are behind a branch that no usual angle takes.
// CHECK-LABEL: func.func @many_iterations
// CHECK:         %[[LARGE:.*]] = arith.cmpf ogt
// CHECK:         %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]]
// CHECK:         scf.if %[[ANY]]
// CHECK:           arith.mului_extended
// CHECK:           arith.select %[[LARGE]]
func.func @many_iterations(%x: vector<16xf32>) -> vector<16xf32> {
  %a = math.sin %x : vector<16xf32>
  return %a : vector<16xf32>
}

// CHECK-LABEL: func.func @keep
// CHECK:         math.exp %{{.*}} : f16
// CHECK:         math.sqrt %{{.*}} : vector<16xf32>
func.func @keep(%x: f16, %y: vector<16xf32>) -> (f16, vector<16xf32>) {
  %a = math.exp %x : f16
  %b = math.sqrt %y : vector<16xf32>
  return %a, %b : f16, vector<16xf32>
}

// CHECK-LABEL: func.func @one_over_root
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.ps.512"
// CHECK-NOT:     arith.divf
// CHECK:         return
// NARROW-LABEL: func.func @one_over_root
// NARROW:         arith.divf
func.func @one_over_root(%x: vector<16xf32>) -> vector<16xf32> {
  %one = arith.constant dense<1.0> : vector<16xf32>
  %a = math.sqrt %x : vector<16xf32>
  %b = arith.divf %one, %a : vector<16xf32>
  return %b : vector<16xf32>
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

// With AVX-512, lanes pick coefficients from tables; one element does so in a lane.
// CHECK-LABEL: func.func @erf
// CHECK-COUNT-7: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
// CHECK:         llvm.insertelement
// CHECK-COUNT-7: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
// CHECK:         llvm.extractelement
// CHECK:         return
// NARROW-LABEL: func.func @erf
// NARROW-NOT:     llvm.call
// NARROW:         return
func.func @erf(%x: vector<16xf32>, %y: f32) -> (vector<16xf32>, f32) {
  %a = math.erf %x : vector<16xf32>
  %b = math.erf %y : f32
  return %a, %b : vector<16xf32>, f32
}
