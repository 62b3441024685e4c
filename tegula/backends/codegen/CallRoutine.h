// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A call of a routine that generated code finds when it is linked.

#ifndef TEGULA_BACKENDS_CODEGEN_CALLROUTINE_H
#define TEGULA_BACKENDS_CODEGEN_CALLROUTINE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Declares the routine in `module` at its first call. It gives nothing if
/// `result` is null.
mlir::LLVM::CallOp callRoutine(mlir::ModuleOp module, llvm::StringRef name,
                               mlir::Type result, mlir::ValueRange arguments,
                               mlir::OpBuilder &builder, mlir::Location loc);

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_CALLROUTINE_H
