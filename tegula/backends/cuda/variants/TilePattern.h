// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Helps to recognise kernels as a whole: ops that a search has understood, and
/// what the axes of their tiles count.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_TILEPATTERN_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_TILEPATTERN_H

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace tegula {

/// The value of a constant.
std::optional<int64_t> numberOf(mlir::Value value);
/// The value of an FP32 constant.
std::optional<double> floatOf(mlir::Value value);
inline bool isConstantInt(mlir::Value value, int64_t number) {
  return numberOf(value) == number;
}

/// What an axis of a tile counts: queries, keys, elements of a head, or
/// nothing.
enum class TileAxis { Rows, Keys, Head, One };

/// Ops that were taken for parts of the pattern. Those that make a tile are
/// asked for by kind: a search follows operands from the result inwards, and in
/// the end every op must have been taken.
class TilePattern {
protected:
  /// The value that types say less of.
  mlir::Value strip(mlir::Value tile);

  /// The op that makes a tile with these axes, if it is of that kind.
  template <typename Op>
  Op take(mlir::Value tile, TileAxis first, TileAxis second) {
    axes[tile] = {first, second};
    tile = strip(tile);
    axes[tile] = {first, second};
    auto op = tile.getDefiningOp<Op>();
    if (op)
      known.insert(op);
    return op;
  }

  /// What is repeated along an axis, or null.
  mlir::Value takeBroadcast(mlir::Value tile, TileAxis first, TileAxis second);
  /// The number that a tile is filled with, or null.
  mlir::Value takeFull(mlir::Value tile, TileAxis first, TileAxis second);
  /// What is combined along each row, or null.
  mlir::Value takeReduction(mlir::Value tile, pl::Reduction kind);

  /// The operand besides one that is known, or null.
  template <typename Op> mlir::Value other(Op op, mlir::Value operand) {
    if (op && strip(op.getLhs()) == operand)
      return strip(op.getRhs());
    if (op && strip(op.getRhs()) == operand)
      return strip(op.getLhs());
    return {};
  }

  /// The operand that an op of a kind makes, and the other one; or nulls.
  template <typename Made, typename Op>
  std::pair<mlir::Value, mlir::Value> split(Op op) {
    if (!op)
      return {};
    mlir::Value lhs = strip(op.getLhs()), rhs = strip(op.getRhs());
    if (!lhs.getDefiningOp<Made>())
      std::swap(lhs, rhs);
    if (!lhs.getDefiningOp<Made>())
      return {};
    return {lhs, rhs};
  }

  /// A tile has these sizes along its axes.
  void noteSizes(mlir::ValueRange sizes, TileAxis first, TileAxis second);

  /// Whether every op of the function was taken, or computes numbers and
  /// nothing else.
  bool isAllKnown(mlir::func::FuncOp function) const;

  /// The axis that an extent was asked of, if it is that of a tile.
  std::optional<TileAxis> axisOf(pl::DimOp dim) const;

  llvm::SmallPtrSet<mlir::Operation *, 32> known;
  llvm::DenseMap<mlir::Value, std::pair<TileAxis, TileAxis>> axes;
  /// Sizes of tiles, which must not be less than all there is.
  llvm::SmallVector<std::pair<mlir::Value, TileAxis>> sizes;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_TILEPATTERN_H
