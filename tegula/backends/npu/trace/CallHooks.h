// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls through the functions of a TegulaTraceCall, and numbers in memory for
/// them.

#ifndef TEGULA_BACKENDS_NPU_TRACE_CALLHOOKS_H
#define TEGULA_BACKENDS_NPU_TRACE_CALLHOOKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tegula {

/// The functions of a TegulaTraceCall.
enum class Hook { Emit, Launch, Allocate, Ask };

/// Emits calls at the builder's insertion point, in a function whose last
/// argument is the TegulaTraceCall.
class CallHooks {
public:
  CallHooks(mlir::OpBuilder &builder, mlir::func::FuncOp function)
      : builder(builder), function(function) {}

  /// Calls a hook with the call itself and `arguments`.
  mlir::LLVM::CallOp call(Hook hook, mlir::ValueRange arguments,
                          mlir::Location loc, mlir::Type result = {});
  /// The address of the numbers, stored in memory of the function's own. It is
  /// good until the next call.
  mlir::Value store(mlir::ValueRange numbers, mlir::Location loc);
  /// The place of counter `number` of TegulaTraceCall::counters.
  mlir::Value getCounter(int64_t number, mlir::Location loc);
  /// The value as 64 bits, and back. Null if the type cannot be.
  mlir::Value toBits(mlir::Value value, mlir::Location loc);
  mlir::Value fromBits(mlir::Value bits, mlir::Type type, mlir::Location loc);
  mlir::Value constant(int64_t number, mlir::Location loc);
  /// Number `position` of memory that holds 64-bit numbers.
  mlir::Value load(mlir::Value memory, int64_t position, mlir::Location loc);

private:
  mlir::Value getNumbers(int64_t count, mlir::Location loc);
  mlir::Value addressOf(mlir::Value memory, int64_t bytes, mlir::Location loc);

  mlir::OpBuilder &builder;
  mlir::func::FuncOp function;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_CALLHOOKS_H
