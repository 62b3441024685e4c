// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Expressions that are reduced along their rows and end in one store, such as
/// a softmax: they can be computed one row after the other, so that a row is
/// read again while it is in the nearest cache.

#ifndef TEGULA_TRANSFORMS_ROWS_ROWEXPRESSION_H
#define TEGULA_TRANSFORMS_ROWS_ROWEXPRESSION_H

#include "tegula/ir/ops/PlOps.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {

/// What a store of rows is computed from.
class RowExpression {
public:
  /// `isCut` says which tiles are computed by windows.
  RowExpression(pl::StoreOp store, llvm::function_ref<bool(mlir::Value)> isCut);

  /// True if rows are reduced here, and each can be computed on its own.
  bool isByRow() const { return canBe && !reductions.empty(); }

  /// The values with one element per row that nobody else reads.
  llvm::SmallVector<mlir::Value> getPerRow() const;

private:
  void visit(mlir::Value value);
  bool dependsOnRows(mlir::Value value) const;

  pl::StoreOp store;
  llvm::function_ref<bool(mlir::Value)> isCut;
  bool canBe = true;
  llvm::SetVector<mlir::Value> values;
  llvm::DenseSet<mlir::Value> reductions;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_ROWEXPRESSION_H
