// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops and branches, as they are written by hand: their bodies are emitted by
/// functions.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_FLOWCODE_H
#define TEGULA_BACKENDS_CPU_MATMUL_FLOWCODE_H

#include "tegula/backends/cpu/matmul/NumberCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Emits control flow, and the numbers that it depends on.
class FlowCode : public NumberCode {
public:
  using NumberCode::NumberCode;

  void loop(mlir::Value from, mlir::Value to, mlir::Value step,
            llvm::function_ref<void(mlir::Value)> body);
  void loop(mlir::Value to, int64_t step,
            llvm::function_ref<void(mlir::Value)> body) {
    loop(number(0), to, number(step), body);
  }
  /// What goes around: the body changes the values it gets.
  using Carried = llvm::SmallVector<mlir::Value>;
  void loop(mlir::Value from, mlir::Value to, int64_t step, Carried &carried,
            llvm::function_ref<void(mlir::Value, Carried &)> body);
  void branch(mlir::Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no = nullptr);
  /// What one of them returns; both return values of the same types.
  Carried choose(mlir::Value condition, llvm::function_ref<Carried()> yes,
                 llvm::function_ref<Carried()> no);

  void call(mlir::func::FuncOp callee, mlir::ValueRange arguments);
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_FLOWCODE_H
