// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel that is cut in several ways, and the choice between them.

#ifndef TEGULA_BACKENDS_NPU_TILING_TILINGS_H
#define TEGULA_BACKENDS_NPU_TILING_TILINGS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// On a function: the kernel that it is one way to run.
inline constexpr llvm::StringLiteral tilingOfAttrName = "npu.tiling_of";
/// On the module: the sizes of each way, as arrays of rows, columns and depth
/// of matmuls, then rows and columns of other tiles.
inline constexpr llvm::StringLiteral tilingsAttrName = "npu.tilings";

/// Adds a function for the kernel that calls the way whose number the slot
/// after the parameters has. The ways, which are lowered, are no longer seen
/// from outside.
void dispatchTilings(mlir::ModuleOp module, int64_t numSlots);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TILING_TILINGS_H
