// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An author's loops over tiles that together compute one matmul of whole
/// matrices.

#ifndef TEGULA_TRANSFORMS_MATMUL_MATMULLOOPS_H
#define TEGULA_TRANSFORMS_MATMUL_MATMULLOOPS_H

#include "tegula/transforms/matmul/EpilogueExpression.h"
#include "tegula/transforms/rows/RowExtents.h"

namespace tegula {

/// Such loops, and what they multiply.
///
///   for i, for j:
///     acc = start
///     for k: acc += lhs[i, k] * rhs[k, j]
///     epilogue(acc)                          # target[i, j] = acc, or more
///
/// Each of them may be missing. That over the inner axis may carry extents of
/// the accumulator as well.
struct MatmulLoops {
  /// The outermost loop; `last` if a tile has all rows and all columns.
  mlir::Operation *root;
  pl::MatmulOp matmul;
  /// The op that has a tile of the accumulator when all of the inner axis is
  /// done.
  mlir::Operation *last;
  mlir::Value lhs, rhs;
  /// Null if the epilogue does more than to store what it computes from the
  /// accumulator element by element.
  mlir::Value target;
  /// The loops over rows and columns, null where a tile has all of them.
  mlir::Operation *rowLoop, *columnLoop;
  /// The extents of the accumulator, and of the axis that is summed over.
  RowExtent rows, columns, inner;
  /// The tile that is added: null if the accumulator starts from zero wherever
  /// the matmul has elements, and has as many of these as a step of the loop
  /// where it may be longer.
  mlir::Value start = {};
  /// For rows and columns: that tile may be longer than those of the matmul
  /// are, though not longer than a step of the loop. It is the accumulator if
  /// the inner axis is empty.
  bool isStartLonger[2] = {false, false};

  /// What is stored; nothing without a target.
  std::optional<EpilogueExpression> epilogue = {};

  /// The loops that the matmul is a part of, if all of them is understood and
  /// they do nothing but store what they compute from the accumulator element
  /// by element.
  static std::optional<MatmulLoops> find(pl::MatmulOp matmul);
  /// The same where loops may do more, with the accumulator or otherwise, as
  /// long as they do not change the operands.
  static std::optional<MatmulLoops> findWithEpilogue(pl::MatmulOp matmul);
  /// The same, or a matmul outside of loops whose tiles are whole matrices.
  static std::optional<MatmulLoops> findAny(pl::MatmulOp matmul);
  /// Why there are none of these, for those who ask.
  static const char *explain(pl::MatmulOp matmul);
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MATMUL_MATMULLOOPS_H
