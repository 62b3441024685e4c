// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds loops over tiles that together compute one matmul of whole matrices,
/// be they the author's or those that whole-array expressions were cut into.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_MATMULLOOPS_H
#define TEGULA_BACKENDS_CPU_MATMUL_MATMULLOOPS_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// `target = lhs * rhs`, and the loop that does it and nothing else.
///
///   for i, for j:
///     sum = 0
///     for k: sum += lhs[i, k] * rhs[k, j]
///     target[i, j] = sum
struct MatmulLoops {
  /// The outermost loop.
  mlir::Operation *root;
  pl::MatmulOp matmul;
  /// The op that has a tile of the sum when all of the inner axis is done.
  mlir::Operation *last;
  mlir::Value lhs, rhs;
  /// Null if more is done with the sum than to store it.
  mlir::Value target;
  /// The loops over rows and columns, null where a tile has all of them.
  mlir::Operation *rowLoop, *columnLoop;
  /// The extents of the sum, and of the axis that is summed over.
  mlir::Value rows, columns, inner;
  /// True unless the sum starts from zero wherever the matmul has elements,
  /// and as many of these as a step of the loop where it may be longer.
  bool addsStart = false;
  /// For rows and columns: that tile may be longer than those of the matmul
  /// are, though not longer than a step of the loop. It is the sum if the inner
  /// axis is empty.
  bool isStartLonger[2] = {false, false};

  /// The matmul that the op is a part of, if all of it is understood and the
  /// loops do nothing else.
  static std::optional<MatmulLoops> find(pl::MatmulOp matmul);
  /// The same where loops may do more, with the sum or otherwise, as long as
  /// they do not change the operands.
  static std::optional<MatmulLoops> findPart(pl::MatmulOp matmul);
  /// The tile that is added; null if there is none.
  mlir::Value getStart() const;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_MATMULLOOPS_H
