// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The extents of tensors in a kernel that does the same with every row, and
/// loops over parts of them.

#ifndef TEGULA_TRANSFORMS_ROWS_ROWEXTENTS_H
#define TEGULA_TRANSFORMS_ROWS_ROWEXTENTS_H

#include "tegula/ir/ops/PlOps.h"

#include <optional>

namespace tegula {

/// The extent of a tensor: what is bound to it, or a number.
struct RowExtent {
  mlir::Value bound;
  std::optional<int64_t> number;

  explicit operator bool() const { return bound || number; }
  bool operator==(const RowExtent &other) const {
    return bound == other.bound && number == other.number;
  }

  static RowExtent of(mlir::Value number);
  /// Nothing if it is not bound.
  static RowExtent of(mlir::Value tensor, unsigned axis);
};

/// A loop whose iterations have windows along one axis of tensors, one after
/// the other.
struct RowCut {
  mlir::Value lower, upper, step, index;

  explicit operator bool() const { return bool(index); }

  /// Whether it goes along an axis of the tensor.
  bool isAlong(mlir::Value tensor, unsigned axis) const {
    return *this && RowExtent::of(upper) == RowExtent::of(tensor, axis);
  }
  /// Whether the number is that of a whole window.
  bool isStep(mlir::Value number) const {
    return *this && RowExtent::of(number) == RowExtent::of(step);
  }
  /// Whether it is what is left, at most a step.
  bool isRest(mlir::Value number) const;
};

bool isZero(mlir::Value number);
/// Whether a window is all there is along the axis.
bool isUncut(mlir::Value offset, mlir::Value size, mlir::Value tensor,
             unsigned axis);
/// Whether the extent of a tensor or a tile is 1.
bool isOne(mlir::Value shaped, unsigned axis);
inline unsigned rankOf(mlir::Value shaped) {
  return pl::getDims(shaped.getType()).size();
}

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_ROWEXTENTS_H
