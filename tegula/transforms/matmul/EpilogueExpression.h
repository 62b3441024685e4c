// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is computed from the accumulator of a matmul element by element, as the
/// epilogue of one op.

#ifndef TEGULA_TRANSFORMS_MATMUL_EPILOGUEEXPRESSION_H
#define TEGULA_TRANSFORMS_MATMUL_EPILOGUEEXPRESSION_H

#include "tegula/ir/ops/PlMatmulOps.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <optional>

namespace tegula {

/// Along which axis of the target each axis of a tile goes; nothing for one
/// that is repeated.
using TargetAxes = llvm::SmallVector<std::optional<unsigned>, 2>;

/// The accumulator, as the expression has it.
struct AccumulatorTile {
  mlir::Value tile;
  /// What it is added to at the end; null if there is nothing.
  mlir::Value start;
};

/// What such an expression may read. Asked for what is not computed element by
/// element.
class EpilogueLeaves {
public:
  virtual ~EpilogueLeaves() = default;

  /// The tensor that a tile is read from, as an epilogue operand; null if it
  /// cannot be one.
  virtual mlir::Value findOperand(mlir::Value tile, const TargetAxes &axes) = 0;
  /// Whether a tile that is filled or repeated has all elements that the
  /// accumulator has.
  virtual bool isLongEnough(mlir::Value tile, const TargetAxes &axes) = 0;
  /// Whether a scalar is there before the matmul.
  virtual bool isThere(mlir::Value scalar) = 0;
};

/// Such an expression.
class EpilogueExpression {
public:
  /// Nothing if the tile is computed in another way, or not from the
  /// accumulator.
  static std::optional<EpilogueExpression>
  find(mlir::Value tile, AccumulatorTile accumulator, EpilogueLeaves &leaves);

  llvm::ArrayRef<mlir::Value> getOperands() const { return operands; }
  /// Puts others in their place, with the same elements.
  void setOperands(llvm::ArrayRef<mlir::Value> others) {
    operands.assign(others.begin(), others.end());
  }

  /// Emits the matmul with this epilogue; none if the tile is the accumulator.
  void emit(mlir::OpBuilder &builder, pl::MatmulOp matmul, mlir::Value lhs,
            mlir::Value rhs, mlir::Value target) const;

private:
  using Key = std::pair<void *, TargetAxes>;

  EpilogueExpression(mlir::Value tile, AccumulatorTile accumulator)
      : tile(tile), accumulator(accumulator) {}
  bool visit(mlir::Value value, const TargetAxes &axes, EpilogueLeaves &leaves);
  bool visitUncached(mlir::Value value, const TargetAxes &axes,
                     EpilogueLeaves &leaves);
  mlir::Value build(mlir::OpBuilder &builder, mlir::Value value,
                    const TargetAxes &axes,
                    std::map<Key, mlir::Value> &made) const;

  mlir::Value tile;
  AccumulatorTile accumulator;
  bool usesAccumulator = false;
  std::map<Key, bool> seen;
  llvm::SmallVector<mlir::Value> operands;
  /// Which of these a tile is.
  std::map<Key, unsigned> leafOf;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_EPILOGUEEXPRESSION_H
