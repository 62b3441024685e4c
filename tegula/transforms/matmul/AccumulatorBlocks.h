// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls with an epilogue on machines that multiply whole matrices: a block
/// of rows at a time.

#ifndef TEGULA_TRANSFORMS_MATMUL_ACCUMULATORBLOCKS_H
#define TEGULA_TRANSFORMS_MATMUL_ACCUMULATORBLOCKS_H

#include "tegula/transforms/matmul/MatmulLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// How large blocks are.
struct BlockSizes {
  /// Elements of accumulators that stay in a cache while they are read.
  int64_t elements;
  /// Rows that are enough to share what is read of rhs.
  int64_t rows;
};

/// How many of the rows one block has, in whole steps: as many as the cache has
/// room for, and where blocks are shared by threads no more than a quarter.
mlir::Value buildBlockRows(mlir::OpBuilder &builder, mlir::Location loc,
                           BlockSizes sizes, mlir::Value rows,
                           mlir::Value columns, mlir::Value step,
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

/// Makes one op of each matmul of tensors that a function has, be it whole or
/// in loops: its accumulators go to a tensor, and what uses them reads tiles
/// of it. For those who look for the op and not for memory.
void raiseMatmuls(mlir::func::FuncOp function);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_ACCUMULATORBLOCKS_H
