// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles that are there for their shape: what a variable is before the loop
/// whose first iteration gives it a value.

#ifndef TEGULA_TRANSFORMS_TILE_PLACEHOLDERS_H
#define TEGULA_TRANSFORMS_TILE_PLACEHOLDERS_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// True if the tile goes into loops and nowhere else.
bool isPlaceholder(pl::LoadOp load);

/// An op that may use the placeholder as a value, in the first iteration of a
/// loop; null if there is none.
mlir::Operation *findFirstUse(pl::LoadOp placeholder);

/// Puts zeros in its place.
void replaceByZeros(pl::LoadOp placeholder);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_TILE_PLACEHOLDERS_H
