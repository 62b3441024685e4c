// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many elements of a linalg.generic one vector has.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_VECTORWIDTH_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_VECTORWIDTH_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

struct VectorWidth {
  static VectorWidth of(mlir::linalg::GenericOp op, unsigned vectorBits);

  /// As many elements as the widest operand has in a register. Narrow floats
  /// count as FP32, in which they are computed. One, if some operand cannot be
  /// read by the vector.
  int64_t lanes;
  /// True where masks are bits in registers of their own.
  bool hasMaskRegisters;
  /// True if it pays to have the ends of rows in vectors half as long, where
  /// they fit: these are read and written in less time, above all where a whole
  /// one would cross lines of the cache. Rows that are one row end but once.
  bool hasHalves;
  /// True if so little is computed of an element that only memory counts, where
  /// the loops are collapsed. Processors with long vectors read and write far
  /// caches somewhat faster with short ones, and near ones as fast.
  bool isLight;
};

/// True if an element takes so many instructions at most.
bool isQuick(mlir::linalg::GenericOp op, int64_t mostInstructions);

/// True for a reduction whose combiner was folded into something else, as in
/// `before + (x - x)` or `before + x * -1`. Also without a loop that reduces:
/// an axis of one element needs none.
bool isFolded(mlir::linalg::GenericOp op);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_VECTORWIDTH_H
