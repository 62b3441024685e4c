// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The extents of tensors.

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
