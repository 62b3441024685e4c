// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops whose iterations have windows along one axis of tensors, one after the
/// other.

#ifndef TEGULA_TRANSFORMS_MATMUL_AXISLOOP_H
#define TEGULA_TRANSFORMS_MATMUL_AXISLOOP_H

#include "tegula/transforms/rows/RowExtents.h"

namespace tegula {

/// Such a loop, in order or in any order; without an op if there is none.
struct AxisLoop {
  mlir::Operation *op = nullptr;
  mlir::Value variable, lower, upper, step;

  explicit operator bool() const { return op != nullptr; }

  /// The loop that an op is.
  static AxisLoop of(mlir::Operation *op);

  /// Whether it goes along an axis of the tensor.
  bool isAlong(mlir::Value tensor, unsigned axis) const {
    return *this && RowExtent::of(upper) == RowExtent::of(tensor, axis);
  }
  /// Whether the size is that of a whole window.
  bool isStep(mlir::Value size) const {
    return *this && RowExtent::of(size) == RowExtent::of(step);
  }
  /// Whether it is what is left, at most a step: min(upper - variable, step),
  /// or the same with 0 at least.
  bool isRest(mlir::Value size) const;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_AXISLOOP_H
