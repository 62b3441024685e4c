// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops over the inner axis of a matmul, which carry its accumulator.

#ifndef TEGULA_TRANSFORMS_MATMUL_ACCUMULATORLOOP_H
#define TEGULA_TRANSFORMS_MATMUL_ACCUMULATORLOOP_H

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tegula {

/// A matmul and what it is added to, in one of two ways:
///
///     matmul(lhs, rhs, addend)
///     addend + matmul(lhs, rhs)
///
/// They differ in the order in which FP32 is added up, and in nothing else.
struct MatmulSum {
  pl::MatmulOp matmul;
  /// Null if there is none.
  mlir::Value addend;
  /// The addition, if it is an op of its own.
  pl::AddOp add;

  /// What makes the tile, if that is such a sum.
  static std::optional<MatmulSum> find(mlir::Value tile);
};

/// A loop whose first result is an accumulator. Other results are scalars.
struct AccumulatorLoop {
  pl::MatmulOp matmul;
  /// Whether the matmul adds to what the loop carries itself.
  bool isFused;
  /// What says how long the accumulator is, in the loop.
  llvm::SmallVector<pl::WithExtentsOp> sized;

  /// Whether the loop yields a matmul, or a sum with one.
  static bool isLikely(mlir::scf::ForOp loop);
  static std::optional<AccumulatorLoop> find(mlir::scf::ForOp loop);
};

/// Whether it is a window or a load of what is only multiplied.
bool isOnlyOperand(mlir::Operation *op);

/// The second matmul in a loop that carries values, or null.
mlir::Operation *findSecondMatmul(mlir::scf::ForOp loop);

/// What computes the scalars that the loop carries besides the accumulator, in
/// order; nothing if that takes tiles or memory.
std::optional<llvm::SmallVector<mlir::Operation *>>
findScalars(mlir::scf::ForOp loop);
/// Emits the loop with these alone, and uses its results.
void keepScalars(mlir::scf::ForOp loop);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_ACCUMULATORLOOP_H
