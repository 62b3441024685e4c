// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows that are contiguous in memory are collapsed into one long row.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_COLLAPSECONTIGUOUS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_COLLAPSECONTIGUOUS_H

#include "tegula/backends/codegen/IndexMath.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

/// How many iterations the last two loops of a nest take.
struct RowLoops {
  mlir::OpFoldResult rows;
  mlir::OpFoldResult columns;
};

/// True if the last two loops only give the index of an element, the same in
/// every operand that they index.
bool canCollapseLoops(mlir::linalg::GenericOp op);

/// One row of all elements, where it turns out at run time that every operand
/// has its rows one after the other; else the rows and columns that there are.
/// The loops collapse. `isDense` is an i1: no row has gaps, or null if
/// that is so at every call.
RowLoops flattenRows(mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
                     RowLoops loops, mlir::Value isDense);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_COLLAPSECONTIGUOUS_H
