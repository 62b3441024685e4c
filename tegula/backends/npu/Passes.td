// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_BACKENDS_NPU_PASSES
#define TEGULA_BACKENDS_NPU_PASSES

include "mlir/Pass/PassBase.td"

def NpuInlineSteps : Pass<"tegula-npu-inline-steps", "::mlir::ModuleOp"> {
  let summary = "Let this processor do the steps of an NPU program";
  let description = [{
    The region of each step takes its place, so what is left computes the
    values of the program in the order and at the addresses that were planned.

    ```mlir
    npu.vector "add" %rows, %columns ... { linalg.generic ... }
    ```
    becomes
    ```mlir
    linalg.generic ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NpuToTrace : Pass<"tegula-npu-to-trace", "::mlir::ModuleOp"> {
  let summary = "Make the function that emits the trace of an NPU program";
  let description = [{
    Steps are not done but told, by a call through TegulaTraceCall with their
    extents and addresses. Loops whose iterations run at once become functions that
    are launched. Fails where a loop or a window depends on data, which only a
    run knows: then `run` makes a function that does the steps as well, and
    tells of the iterations of such loops one after the other.

    ```mlir
    npu.multiply %m, %n, %k ranges [%a, %b] of [0] reads 0 { ... }
    ```
    becomes
    ```mlir
    llvm.store %m, %p : i64, !llvm.ptr
    ...
    llvm.call %emit(%call, %multiply, %numbers) : !llvm.ptr, (...) -> ()
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"
  ];
  let options = [
    Option<"run", "run", "bool", "false", "Do what is told, too">
  ];
}

#endif // TEGULA_BACKENDS_NPU_PASSES
