// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A parallel loop whose iterations do the same with rows of their own, each
/// row by itself: it may take as many rows at a time as a block has registers
/// for.
///
/// Example: with 4 rows at a time, of no more than 1024 elements,
///
///     parallel i = 0 to M step 1:        parallel i = 0 to M step 4:
///       t = load x[i, 0][1, N] drop 0      t = load x[i, 0][4, min(N, 1024)]
///       y[i, 0][1, N] drop 0 = exp(t)      y[i, 0][4, min(N, 1024)] = exp(t)
///
/// An axis that a row has no part in, as in `x[i, :]`, is put in front; else
/// the rows are along the axis that the author's window has them along.

#ifndef TEGULA_BACKENDS_CUDA_FIT_ROWLOOP_H
#define TEGULA_BACKENDS_CUDA_FIT_ROWLOOP_H

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace tegula {

/// Where tiles have rows: the same axis in all of them.
struct RowAxis {
  unsigned axis;
  /// Iterations have single rows, and tiles no axis for them.
  bool isAdded;

  bool operator==(const RowAxis &other) const {
    return axis == other.axis && isAdded == other.isAdded;
  }
};

/// What is known of such a loop.
class RowLoop {
public:
  /// The loop is `outermost`, or inside that and other parallel loops. Nothing
  /// if iterations depend on each other, or an op does more than one row needs.
  static std::optional<RowLoop> find(pl::ParallelOp loop,
                                     pl::ParallelOp outermost);

  /// How many rows an iteration has.
  int64_t getStep() const { return step; }
  /// The extents of axes that nobody bounds, from before the outermost loop.
  llvm::ArrayRef<mlir::Value> getWidths() const { return widths.getArrayRef(); }
  /// How many registers a row of the largest tile takes in all threads, with
  /// `width` for the extents that nobody bounds, and how many such tiles live
  /// at once.
  struct Need {
    int64_t wordsOfRow = 1, liveTiles = 1;
  };
  Need getNeed(int64_t width) const;

  mutable pl::ParallelOp loop;
  RowAxis rows = {0, false};
  int64_t step = 1;
  /// Values that have rows of the iteration: views and tiles; numbers, one for
  /// each row; what of the rows is left, and how many there are.
  llvm::DenseSet<mlir::Value> byRow, numbers, rests, counts;
  llvm::SetVector<mlir::Value> widths;

  bool isByRow(mlir::Value value) const { return byRow.contains(value); }
  /// True if the value is not the same for all rows.
  bool dependsOnRows(mlir::Value value) const {
    return value == loop.getBody().getArgument(0) || byRow.contains(value) ||
           numbers.contains(value) || rests.contains(value) ||
           counts.contains(value);
  }

private:
  explicit RowLoop(pl::ParallelOp loop) : loop(loop) {}
};

/// The loop with `rows` at a time takes its place. Where a width is given, no
/// unbounded extent is larger; else they stay unbounded.
void emitRows(const RowLoop &loop, int64_t rows, std::optional<int64_t> width);

/// The symbol bound to the axis of a tensor; null if there is none.
mlir::Value findSymbol(mlir::Value tensor, unsigned axis);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_FIT_ROWLOOP_H
