// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles that are put in memory so that parts of them can be addressed.

#ifndef TEGULA_TRANSFORMS_MEMORY_TILEMEMORY_H
#define TEGULA_TRANSFORMS_MEMORY_TILEMEMORY_H

#include "mlir/IR/Builders.h"

namespace tegula {

/// Memory for what `op`, which has a shape function and stands after the
/// builder, will make.
mlir::Value createMemoryFor(mlir::OpBuilder &builder, mlir::Operation *op);

/// A tensor that holds `tile` until `reader` runs: where it was loaded from, if
/// nothing is written there in between, else memory made and filled at the
/// builder. The tile dominates the builder, which stands before the reader.
mlir::Value memoryOf(mlir::OpBuilder &builder, mlir::Value tile,
                     mlir::Operation *reader);

/// The tile itself, behind ops that only say what its extents are.
mlir::Value behindExtents(mlir::Value tile);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MEMORY_TILEMEMORY_H
