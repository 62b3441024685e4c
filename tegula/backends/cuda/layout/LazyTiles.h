// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles that are rematerialised at each use, in the layout that is wanted
/// there: loads, `full`, `arange`, and such tiles in other shapes. They need no
/// conversion.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_LAZYTILES_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_LAZYTILES_H

#include "tegula/backends/cuda/layout/ElementMap.h"
#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// True for ops that only give the elements of a tile other coordinates.
bool movesElements(mlir::Operation *op);

/// True if the tile is rematerialised at each use.
bool isLazy(mlir::Value tile);

/// Threads that hold the result of such an op as in `map` hold its source like
/// this; nothing if that cannot be said bit by bit.
std::optional<ElementMap> mapOfSource(mlir::Operation *op,
                                      const ElementMap &map);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_LAZYTILES_H
