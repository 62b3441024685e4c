// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How far the loops of a nest go, and in which steps.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_LOOPRANGES_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_LOOPRANGES_H

#include "tegula/backends/codegen/IndexMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

/// How many iterations a loop of the op takes.
mlir::OpFoldResult findExtent(mlir::OpBuilder &builder,
                              mlir::linalg::GenericOp op, unsigned loop);

/// Where the last whole step from `from` ends.
mlir::OpFoldResult wholeSteps(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::OpFoldResult from, mlir::OpFoldResult to,
                              int64_t step);

/// How many of the rows that are combined with each other are read `few` at a
/// time, from end to end: those of long rows but for what is left, and none of
/// short ones, which are read column by column. A column of vectors is one from
/// each page of memory where rows are long, and those of rows a power of two
/// apart map to the same set of the cache.
mlir::OpFoldResult rowsTakenFew(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::OpFoldResult rows,
                                mlir::OpFoldResult columns, int64_t lanes,
                                int64_t few);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_LOOPRANGES_H
