// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From where to where in its block the memory of a tensor is needed.

#ifndef TEGULA_TRANSFORMS_PLAN_TENSORLIFETIMES_H
#define TEGULA_TRANSFORMS_PLAN_TENSORLIFETIMES_H

#include "tegula/transforms/plan/Lifetimes.h"

namespace tegula {

/// The lifetimes of tensors that one block makes. Positions are those of its
/// ops, whole loops and branches included.
///
/// What a tensor holds may be read long after the op that loads it: a tile that
/// has no memory of its own is computed where it is read, and a window is the
/// tensor itself. So every tensor and tile that comes out of an op that takes
/// one is followed, through loops and branches, as if it were the tensor.
class TensorLifetimes {
public:
  explicit TensorLifetimes(mlir::Block &home);

  /// From its first use to its last one. One that leaves the block, or that has
  /// too many uses to look at, is needed until `getEnd()`.
  Lifetime find(pl::CreateTensorOp tensor);

  /// The position after all ops.
  unsigned getEnd() const { return positions.size(); }
  /// The op at a position before the end.
  mlir::Operation *getOp(unsigned position) const { return ops[position]; }

private:
  bool touch(mlir::Operation *user, Lifetime &lifetime);
  void follow(mlir::Value value);
  void followAll(mlir::ValueRange values);
  void followThrough(mlir::Operation *user);

  mlir::Block &home;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Value> waiting;
  llvm::DenseSet<mlir::Value> seen;
  /// How many uses are looked at before the rest is taken to be long-lived.
  int64_t usesLeft;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_TENSORLIFETIMES_H
