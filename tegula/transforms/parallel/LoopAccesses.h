// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which elements of which tensors the iterations of a loop touch, as windows
/// within each other. Whether iterations overlap there is not asked here.

#ifndef TEGULA_TRANSFORMS_PARALLEL_LOOPACCESSES_H
#define TEGULA_TRANSFORMS_PARALLEL_LOOPACCESSES_H

#include "tegula/ir/ops/PlOps.h"

#include <optional>

namespace tegula {

/// Elements along one axis of a tensor that hold all that is touched.
struct AccessWindow {
  /// It begins at the sum of these.
  llvm::SmallVector<mlir::Value, 2> offsets;
  /// How many there are; null if that is only bounded. What is below zero is
  /// none.
  mlir::Value size;
  /// At most so many, if that is known.
  std::optional<int64_t> bound;
};

/// One op that reads or writes memory that outlives an iteration.
struct Access {
  mlir::Operation *op;
  mlir::Value root;
  /// What the axes are those of; the root unless that was reshaped.
  mlir::Value base;
  bool isWrite;
  /// For each axis windows from the outside in; none if all of the axis may be
  /// touched.
  llvm::SmallVector<llvm::SmallVector<AccessWindow, 2>> axes;
};

/// All accesses in the loop to memory that outlives an iteration. Nothing if
/// there is one that is not understood.
std::optional<llvm::SmallVector<Access>> findAccesses(pl::ParallelOp loop);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PARALLEL_LOOPACCESSES_H
