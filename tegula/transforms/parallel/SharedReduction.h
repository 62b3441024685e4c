// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows that are combined with each other and are so many that threads share
/// them. Each block of rows has a result of its own, in memory, and these are
/// combined in their order: which rows a block has follows from the extents, so
/// that results do not depend on how many threads there are.

#ifndef TEGULA_TRANSFORMS_PARALLEL_SHAREDREDUCTION_H
#define TEGULA_TRANSFORMS_PARALLEL_SHAREDREDUCTION_H

#include "tegula/transforms/tile/TileEmitter.h"

namespace tegula {

/// What rows are shared by, in elements.
struct ReductionBlocks {
  /// What a block has at most, unless there would be very many.
  int64_t most;
  /// How many columns are computed at once.
  int64_t columns;
};

/// True if the op combines rows that may be more than a block has.
bool isSharedReduction(pl::ReduceOp reduce, const CutTiles &cut,
                       const ReductionBlocks &blocks);

/// Emits the loop over blocks in front of the op, with an emitter of that
/// builder. Returns what takes the place of its result, or null after an error.
///
///   parallel block: parts[block] = reduce(rows of the block)
///   reduce(load(parts))
mlir::Value emitSharedReduction(mlir::OpBuilder &builder, pl::ReduceOp reduce,
                                mlir::Value zero, TileEmitter &emitter,
                                const CutTiles &cut,
                                const ReductionBlocks &blocks);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PARALLEL_SHAREDREDUCTION_H
