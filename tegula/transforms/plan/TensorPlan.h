// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which of the tensors that a function makes share memory. Sizes are not
/// known here: a slot is as large as the largest of what lies in it turns out
/// to be in a call.

#ifndef TEGULA_TRANSFORMS_PLAN_TENSORPLAN_H
#define TEGULA_TRANSFORMS_PLAN_TENSORPLAN_H

#include "tegula/transforms/plan/Lifetimes.h"

namespace tegula {

/// Tensors that are needed at different times, the one that is likely to be the
/// largest first.
using TensorSlot = llvm::SmallVector<pl::CreateTensorOp, 4>;

/// The tensors that are made one right after the other: one piece of memory
/// holds all their slots.
struct TensorGroup {
  llvm::SmallVector<TensorSlot> slots;
  /// Whether no iteration of the parallel loop around needs more than the
  /// first. Tensors that do are in a group of their own.
  bool shrinksOverIterations = false;
};

/// The tensors of a function that no other rank sees.
class TensorPlan {
public:
  TensorPlan() = default;
  /// The function must not change as long as the plan is asked; gatherTensors
  /// has made its groups large.
  explicit TensorPlan(mlir::func::FuncOp function);

  /// The group that begins with the op; null if it is not the first of one.
  const TensorGroup *findGroup(pl::CreateTensorOp first) const;
  /// The tensors that nothing needs any more once the op has run.
  llvm::ArrayRef<pl::CreateTensorOp> getEndingWith(mlir::Operation *op) const;
  /// In the order of the program, each with its first op.
  llvm::ArrayRef<std::pair<mlir::Operation *, TensorGroup>> getGroups() const {
    return groups;
  }

private:
  void planBlock(mlir::Block &block, bool mayShare);

  llvm::SmallVector<std::pair<mlir::Operation *, TensorGroup>> groups;
  llvm::DenseMap<mlir::Operation *, size_t> groupOf;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<pl::CreateTensorOp, 1>>
      endings;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_TENSORPLAN_H
