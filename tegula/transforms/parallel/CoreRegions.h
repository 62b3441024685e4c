// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What belongs in the regions that run on cores, and what becomes of a region
/// that is not wanted.

#ifndef TEGULA_TRANSFORMS_PARALLEL_COREREGIONS_H
#define TEGULA_TRANSFORMS_PARALLEL_COREREGIONS_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// True if the op takes or makes a tile.
bool touchesTiles(mlir::Operation *op);

/// at { ... yield v }  ->  ... v
void inlineRegion(pl::AtOp at);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PARALLEL_COREREGIONS_H
