// RUN: tegula-opt %s --tegula-cuda-inline-row-variants | FileCheck %s

// The epilogue of a matmul stays in a module of its own.

// CHECK: module @tegula_matmul_epilogue
// CHECK-NEXT: func.func @store
module @tegula_matmul_epilogue {
  func.func @store() {
    return
  }
}
