// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a value that is cut is computed from, and memory in its place.

#ifndef TEGULA_TRANSFORMS_TILE_CUTEXPRESSION_H
#define TEGULA_TRANSFORMS_TILE_CUTEXPRESSION_H

#include "tegula/transforms/tile/CutTiles.h"

namespace tegula {

/// Visits `value` and all values that are cut it is computed from, once each.
void visitExpression(mlir::Value value, const CutTiles &cut,
                     llvm::function_ref<void(mlir::Value)> visit,
                     llvm::SmallPtrSetImpl<void *> &seen);

/// All values that are cut what `sink` takes is computed from.
llvm::SmallVector<mlir::Value> expressionOf(mlir::Operation *sink,
                                            const CutTiles &cut);

/// True if the expression loads memory that `target` may be.
bool readsMemoryOf(mlir::Value value, mlir::Value target, const CutTiles &cut);

/// True if every window of the value stored reads just the same window of
/// `target`: then storing window by window is as good as storing at once.
bool readsOnlySameWindow(mlir::Value value, mlir::Value target,
                         const CutTiles &cut,
                         llvm::SmallPtrSetImpl<void *> &seen);

/// Gives `value` a tensor of its own right after it is made; its users read
/// that.
mlir::Value toMemory(mlir::Value value);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_TILE_CUTEXPRESSION_H
