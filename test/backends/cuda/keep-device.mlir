// RUN: tegula-opt %s --tegula-cuda-keep-device | FileCheck %s
// RUN: tegula-opt %s --tegula-cuda-keep-host | FileCheck %s --check-prefix=HOST
// RUN: tegula-opt %s --tegula-cuda-keep-host=is-emulated | FileCheck %s --check-prefix=EMULATED

// CHECK-NOT: @program
// CHECK-NOT: @tegulaGpuRun
// CHECK: llvm.func @tegulaGpuBarrier()
// CHECK: func.func @scale_device(%{{.*}}: !llvm.ptr, %{{.*}}: i64) attributes {tegula.slots = 2 : i64}
// CHECK-NOT: func
// CHECK-NOT: module

// HOST: llvm.mlir.global internal constant @program
// HOST: func.func @scale
// HOST-NEXT: llvm.call @tegulaGpuRun
// HOST-NOT: @scale_device
// HOST-NOT: @tegula_matmul_epilogue

// EMULATED: func.func @scale
// EMULATED: func.func private @scale_device_emulated(%[[TABLE:.*]]: !llvm.ptr)
// EMULATED-NEXT: %[[FIRST:.*]] = llvm.getelementptr %[[TABLE]][0]
// EMULATED-NEXT: %[[ADDRESS:.*]] = llvm.load %[[FIRST]]
// EMULATED-NEXT: %[[X:.*]] = llvm.load %[[ADDRESS]] : !llvm.ptr -> !llvm.ptr
// EMULATED: %[[N:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// EMULATED-NEXT: call @scale_device(%[[X]], %[[N]])
// EMULATED: func.func private @scale_device
// EMULATED-NOT: @tegula_matmul_epilogue
llvm.mlir.global internal constant @program(0 : i64) : i64
llvm.func @tegulaGpuRun()
llvm.func @tegulaGpuBarrier()
func.func @scale() {
  llvm.call @tegulaGpuRun() : () -> ()
  return
}
func.func private @scale_device(%x: !llvm.ptr, %n: i64) attributes {llvm.linkage = #llvm.linkage<internal>, tegula.slots = 2 : i64} {
  llvm.call @tegulaGpuBarrier() : () -> ()
  return
}
module @tegula_matmul_epilogue {
  func.func @store() {
    return
  }
}
