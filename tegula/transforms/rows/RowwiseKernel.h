// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that do the same with every row: whole rows are read, computed with
/// and written, and no row needs another.

#ifndef TEGULA_TRANSFORMS_ROWS_ROWWISEKERNEL_H
#define TEGULA_TRANSFORMS_ROWS_ROWWISEKERNEL_H

#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/rows/VariantRejection.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace tegula {

/// How far a value reaches: one row or all of them, one column or all of them.
/// Values of all columns have one element for each of them, others have one.
struct RowShape {
  bool hasRows = false;
  bool hasColumns = false;

  bool operator==(const RowShape &other) const {
    return hasRows == other.hasRows && hasColumns == other.hasColumns;
  }
};

/// A tensor of the kernel, as it is loaded or stored.
struct RowAccess {
  mlir::BlockArgument tensor;
  RowShape shape;
};

/// A matmul of two tensors, and the step that reads its accumulators; null as
/// long as none does.
struct RowMatmul {
  mlir::BlockArgument left, right;
  bool isLeftTransposed, isRightTransposed;
  /// What may be rounded, as the author says.
  std::optional<pl::Precision> precision;
  mlir::Operation *accumulators;
};

/// Such a kernel, with what it does in order.
struct RowwiseKernel {
  /// Loads, stores, sums of rows, and what is computed with them and with
  /// numbers; nothing of it depends on which rows an iteration has.
  llvm::SmallVector<mlir::Operation *> steps;
  llvm::DenseMap<mlir::Operation *, RowAccess> accesses;
  llvm::DenseMap<mlir::Value, RowShape> shapes;
  bool hasReductions = false;
  /// Of the whole matrix, if there is one; then rows are not summed up.
  std::optional<RowMatmul> matmul;
  /// Whether numbers are computed from the extents.
  bool usesExtents = false;
  /// What loops over chunks of rows carry is what one iteration with all
  /// columns makes of it: where it begins, and what becomes of it.
  llvm::DenseMap<mlir::Value, mlir::Value> carried;

  /// The value that a step made.
  mlir::Value resolve(mlir::Value value) const {
    while (mlir::Value same = carried.lookup(value))
      value = same;
    return value;
  }

  /// Whether everything that is written is FP16 or BF16.
  bool hasNarrowResults() const;
  /// Whether functions of single elements of rows, or quotients, are computed,
  /// which takes long.
  bool computesFunctions() const;
  /// Whether some tensor has more than one column.
  bool hasColumns() const {
    return llvm::any_of(accesses, [](const auto &access) {
      return access.second.shape.hasColumns;
    });
  }
  /// Whether no tensor with columns has rows.
  bool hasOneRow() const {
    return llvm::none_of(accesses, [](const auto &access) {
      return access.second.shape.hasRows && access.second.shape.hasColumns;
    });
  }

  /// The kernel as such a program, or nothing if it is none; then the refusal
  /// says why. Rows are reduced so many times at most. A matmul is one op
  /// already (see `RaiseMatmulLoops`), or the kernel is none.
  static std::optional<RowwiseKernel> find(mlir::func::FuncOp kernel,
                                           int64_t mostReductions,
                                           VariantRejection &rejection);
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_ROWWISEKERNEL_H
