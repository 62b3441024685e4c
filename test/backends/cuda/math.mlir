// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegula-opt %s --tegula-cuda-math="is-own=true power-of-two=llvm.nvvm.ex2.approx.ftz.f32" | FileCheck %s --check-prefixes=CHECK,OWN
// RUN: tegula-opt %s --tegula-cuda-math | FileCheck %s --check-prefixes=CHECK,ANY

// CHECK-LABEL: @exp
func.func @exp(%x: f32) -> f32 {
  // OWN: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
  // ANY-NOT: llvm.nvvm
  // ANY: arith.mulf
  %0 = math.exp %x : f32
  return %0 : f32
}

// The chip estimates single numbers only.

// CHECK-LABEL: @exp_of_double
func.func @exp_of_double(%x: f64) -> f64 {
  // CHECK-NOT: llvm.nvvm
  // CHECK: arith.mulf
  %0 = math.exp %x : f64
  return %0 : f64
}

// CHECK-LABEL: @to_bf16
func.func @to_bf16(%x: f32) -> bf16 {
  // OWN: llvm.fptrunc %{{.*}} : f32 to bf16
  // ANY-NOT: llvm.fptrunc
  // ANY: arith.shrui
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// CHECK-LABEL: @quotient
func.func @quotient(%x: f32, %y: f32) -> f32 {
  // OWN: llvm.call_intrinsic "llvm.nvvm.div.full"
  // ANY: arith.divf
  %0 = arith.divf %x, %y fastmath<afn> : f32
  return %0 : f32
}

// What was not said to be approximate is exact.

// CHECK-LABEL: @exact_quotient
func.func @exact_quotient(%x: f32, %y: f32) -> f32 {
  // CHECK: arith.divf
  %0 = arith.divf %x, %y : f32
  return %0 : f32
}

// Two are rounded by one instruction.

// CHECK-LABEL: @to_halves
func.func @to_halves(%x: vector<2xf32>) -> (vector<2xbf16>, vector<2xf16>) {
  // OWN: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xbf16>
  // OWN: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xf16>
  // ANY-NOT: llvm.fptrunc
  %0 = arith.truncf %x : vector<2xf32> to vector<2xbf16>
  %1 = arith.truncf %x : vector<2xf32> to vector<2xf16>
  return %0, %1 : vector<2xbf16>, vector<2xf16>
}

// A product and a power, where that will do.

// CHECK-LABEL: @quick_exp
func.func @quick_exp(%x: f32) -> f32 {
  // OWN: arith.mulf
  // OWN-NEXT: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
  // OWN-NEXT: return
  // ANY-NOT: llvm.nvvm
  %0 = math.exp %x fastmath<afn> : f32
  return %0 : f32
}

// CHECK-LABEL: @quick_root
func.func @quick_root(%x: f32) -> f32 {
  // OWN: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"
  // ANY-NOT: llvm.nvvm
  %0 = math.sqrt %x fastmath<afn> : f32
  return %0 : f32
}

// CHECK-LABEL: @quick_tanh
func.func @quick_tanh(%x: f32) -> f32 {
  // OWN: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
  // OWN: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  // OWN-NOT: arith.divf
  // ANY-NOT: llvm.nvvm
  // ANY: arith.divf
  // CHECK: return
  %0 = math.tanh %x fastmath<afn> : f32
  return %0 : f32
}
