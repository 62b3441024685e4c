// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which loops go through a tensor that a view is a window of.

#ifndef TEGULA_TRANSFORMS_MATMUL_TENSORWINDOW_H
#define TEGULA_TRANSFORMS_MATMUL_TENSORWINDOW_H

#include "tegula/transforms/matmul/AxisLoop.h"

namespace tegula {

/// The extent of a view along an axis: one value for all that are known to have
/// the same; nothing if it is not known.
RowExtent findExtent(mlir::Value view, unsigned axis);

/// One axis of a tensor.
struct WindowAxis {
  RowExtent extent;
  /// The loop that goes from its one end to the other; none if each window has
  /// all of it.
  AxisLoop loop;

  /// Whether both have one extent and one loop.
  bool isLike(const WindowAxis &other) const {
    return loop.op == other.loop.op && extent && extent == other.extent;
  }
};

/// Whether a window of that size has what one iteration of a loop goes on by.
using IsIteration = llvm::function_ref<bool(const AxisLoop &, mlir::Value)>;

/// A tensor that a view is a window of.
struct TensorWindow {
  mlir::Value tensor;
  llvm::SmallVector<WindowAxis, 2> axes;

  /// Follows windows within windows as long as they are taken inside of `root`,
  /// which the tensor must not be made in. Nothing unless each axis is whole or
  /// belongs to one of the loops.
  static std::optional<TensorWindow> find(mlir::Value view,
                                          mlir::Operation *root,
                                          llvm::ArrayRef<AxisLoop> loops,
                                          IsIteration isIteration);
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_TENSORWINDOW_H
