// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls with an epilogue on machines that multiply whole matrices: a block
/// of rows at a time.

#ifndef TEGULA_TRANSFORMS_MATMUL_ACCUMULATORBLOCKS_H
#define TEGULA_TRANSFORMS_MATMUL_ACCUMULATORBLOCKS_H

#include "tegula/transforms/matmul/AxisLoop.h"
#include "tegula/transforms/matmul/MatmulLoops.h"

#include <limits>

namespace tegula {

/// Elements of rhs that no near cache has. Blocks that read it from memory took
/// 1.6 times as long as all rows with their accumulators in memory.
inline constexpr int64_t largeRhsElements = 5 << 17;

/// How large blocks are.
struct BlockSizes {
  /// Elements of accumulators that stay in a cache while they are read.
  int64_t elements;
  /// Rows that are enough to share what is read of rhs.
  int64_t rows;
  /// Elements of rhs from which on all rows are one block: each block would
  /// read it from memory anew.
  int64_t largeRhs = std::numeric_limits<int64_t>::max();
};

/// The extents of a matmul that blocks divide.
struct BlockedExtents {
  mlir::Value rows, columns, inner;
};

/// How many of the rows one block has, in whole steps: as many as the cache has
/// room for, and where blocks are shared by threads no more than a quarter.
mlir::Value buildBlockRows(mlir::OpBuilder &builder, mlir::Location loc,
                           BlockSizes sizes, const BlockedExtents &extents,
                           mlir::Value step, bool isShared);

/// A loop over blocks of rows, around one over rows.
struct RowBlocks {
  mlir::Operation *loop;
  /// The first row of a block, and how many it has.
  mlir::Value start, count;
};

/// The loop, which goes along all rows, goes through one block in each
/// iteration of a new one. The builder goes between the two.
RowBlocks enterRowBlocks(mlir::OpBuilder &builder, const AxisLoop &rows,
                         const BlockedExtents &extents, BlockSizes sizes,
                         bool isShared);

/// Some rows of lhs.
mlir::Value buildRows(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value lhs, bool isTransposed, mlir::Value start,
                      mlir::Value count);

/// Matmuls of the same loops, each with an epilogue, tile by tile. Of some rows
/// at a time all accumulators go to memory that stays in the cache, and tiles
/// are read from there:
///
///   for i, for j:                for block of rows:
///     acc = 0                      s = lhs[block] * rhs
///     for k: acc += ...     ->     for i in block, for j:
///     epilogue(acc)                  epilogue(s[i, j])
///
/// Without sizes all rows are one block.
void emitAccumulatorBlocks(llvm::ArrayRef<MatmulLoops> matmuls,
                           std::optional<BlockSizes> sizes);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_ACCUMULATORBLOCKS_H
