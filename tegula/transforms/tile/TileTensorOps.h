// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pass TileTensorOps for a machine that takes one row after the other.

#ifndef TEGULA_TRANSFORMS_TILE_TILETENSOROPS_H
#define TEGULA_TRANSFORMS_TILE_TILETENSOROPS_H

#include "tegula/transforms/Passes.h"

namespace tegula {

/// Like createTileTensorOps, for machines whose caches keep what was read last:
/// where rows are reduced and end in one store, each row is finished before the
/// next one is begun, and what takes long to compute is kept for its second
/// use.
std::unique_ptr<mlir::Pass>
createTileTensorOpsByRow(const TileTensorOpsOptions &options);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_TILE_TILETENSOROPS_H
