// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over chunks of rows that carry sums of the rows: what one iteration
/// does with all columns at once is what the loop does, but for roundings.

#ifndef TEGULA_TRANSFORMS_ROWS_LOOPREDUCTIONS_H
#define TEGULA_TRANSFORMS_ROWS_LOOPREDUCTIONS_H

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tegula {

/// The sums that a loop carries. Each is one of two kinds, where `part` is
/// computed from the iteration's columns and from nothing that is carried:
///
///     acc = combine(acc, reduce(part))
///     acc = acc * exp(m - newM) + sum(exp(part - newM))
///
/// where `m` is the maximum of the same parts, `newM` what becomes of it, and
/// `m` begins as a finite number: as -inf, a part of nothing but -inf would be
/// NaN where the row is not. Of other parts powers might be infinite. Nothing
/// else in the loop uses what is carried, so no iteration depends on the ones
/// before in another way.
class LoopReductions {
public:
  /// Those of the loop, or nothing if it carries something else.
  static std::optional<LoopReductions> find(mlir::scf::ForOp loop);

  /// Whether it is part of such a sum.
  bool contains(pl::ReduceOp reduce) const {
    return steps.contains(reduce.getOperation());
  }

private:
  explicit LoopReductions(mlir::scf::ForOp loop) : loop(loop) {}

  bool matchCombination(unsigned position);
  bool matchRescaled(unsigned position);
  bool isRescaling(mlir::Value factor);
  bool isShifted(mlir::Value tile);
  bool hasOnlyKnownUses() const;
  bool isKnownUser(mlir::Operation *user) const;
  /// Whether the value is the same elements as a value that is carried.
  std::optional<unsigned> findCarried(mlir::Value value) const;
  /// The op of the loop's body that makes the elements of a value.
  mlir::Operation *findMaker(mlir::Value value) const;

  mutable mlir::scf::ForOp loop;
  /// Of the first kind: what becomes of them.
  llvm::DenseMap<unsigned, mlir::Operation *> combinations;
  /// And what these are of.
  llvm::DenseMap<unsigned, mlir::Value> sources;
  /// What depends on values that are carried: all that may use one of these is
  /// another of them.
  llvm::SmallPtrSet<mlir::Operation *, 16> steps;
  /// What is summed up, and must be none of these.
  llvm::SmallVector<mlir::Value> parts;
  /// The maximum of the sum that is being looked at.
  std::optional<unsigned> maximum;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_LOOPREDUCTIONS_H
