// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that add up the matmuls of windows.

#ifndef TEGULA_TRANSFORMS_ROWS_MATMULMAINLOOP_H
#define TEGULA_TRANSFORMS_ROWS_MATMULMAINLOOP_H

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tegula {

/// Whether it is a window or a load of what is only multiplied.
bool isOnlyMatmulOperand(mlir::Operation *op);

/// The second matmul in a loop that carries values, or null.
mlir::Operation *findSecondMatmul(mlir::scf::ForOp loop);

/// Whether operands of such elements have variants that sum up so.
bool isMultipliedAs(mlir::Type element, mlir::Type sum);

/// Why the lhs or rhs of a matmul is none that variants take: it is
/// no parameter, or another part of one.
const char *explainOperands(pl::MatmulOp matmul, bool isLeft);

/// A loop whose first result is a sum of matmuls, in one of two ways:
///
///     acc = matmul(left, right, acc)
///     acc = acc + matmul(left, right)
///
/// They differ in the order in which FP32 is added up, and in nothing else.
/// Other results are numbers, and what else is in the loop has no effect.
struct MatmulMainloop {
  pl::MatmulOp matmul;
  /// What says how long the sum is, in the loop.
  llvm::SmallVector<pl::WithExtentsOp> sized;

  /// Whether the loop yields a matmul, or a sum with one.
  static bool isLikely(mlir::scf::ForOp loop);
  static std::optional<MatmulMainloop> find(mlir::scf::ForOp loop);
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_MATMULMAINLOOP_H
