// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From the function of a row to the LLVM dialect, with mathematical functions
/// as arithmetic: loops that call something do not become vectors.

#ifndef TEGULA_BACKENDS_NPU_VECTOR_LOWERROW_H
#define TEGULA_BACKENDS_NPU_VECTOR_LOWERROW_H

#include "tegula/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace tegula {

/// Registers what makeRowFunction and lowerRow make; all of it has to be loaded
/// before a pass uses them.
void registerRowDialects(mlir::DialectRegistry &registry);

/// Lowers the module that makeRowFunction made. What has no code is an error
/// that names it.
[[nodiscard]] Error lowerRow(mlir::ModuleOp row);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_VECTOR_LOWERROW_H
