// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How far the loops of a nest go, and in which steps.

#ifndef TEGULA_BACKENDS_CPU_LOOPRANGES_H
#define TEGULA_BACKENDS_CPU_LOOPRANGES_H

#include "tegula/backends/cpu/IndexMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

/// How many turns a loop of the op takes.
mlir::OpFoldResult findExtent(mlir::OpBuilder &builder,
                              mlir::linalg::GenericOp op, unsigned loop);

/// Where the last whole step from `from` ends.
mlir::OpFoldResult wholeSteps(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::OpFoldResult from, mlir::OpFoldResult to,
                              int64_t step);

/// How many of the rows that are combined with each other are read at a time:
/// all of them, column by column, if they are short. A few, from end to end, if
/// they are long: a column of vectors is one from each page of memory, and
/// those of rows a power of two apart want the same place in the cache.
mlir::OpFoldResult rowsAtOnce(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::OpFoldResult rows,
                              mlir::OpFoldResult columns, int64_t lanes);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_LOOPRANGES_H
