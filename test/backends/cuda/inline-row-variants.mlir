// RUN: tegula-opt %s --tegula-cuda-inline-row-variants | FileCheck %s

// What both modules declare is there once.

// CHECK: llvm.func @tegulaGpuBarrier()
// CHECK-NEXT: func.func @scale()
// CHECK-NEXT: call @tegulaGpuBarrier
// CHECK: func.func private @scale_warp()
// CHECK-NOT: tegula_rows
// CHECK-NOT: llvm.func @tegulaGpuBarrier
llvm.func @tegulaGpuBarrier()
func.func @scale() {
  llvm.call @tegulaGpuBarrier() : () -> ()
  return
}
module @tegula_rows {
  llvm.func @tegulaGpuBarrier()
  func.func private @scale_warp() {
    llvm.call @tegulaGpuBarrier() : () -> ()
    return
  }
}
