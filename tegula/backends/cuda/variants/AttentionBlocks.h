// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks of queries and keys that attention is computed in, and which keys
/// those queries see.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_ATTENTIONBLOCKS_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_ATTENTIONBLOCKS_H

#include "tegula/ir/extents/LinearForm.h"
#include "tegula/transforms/matmul/AxisLoop.h"

namespace tegula {

/// A loop from 0 on, in steps of a number.
struct BlockLoop : AxisLoop {
  int64_t stepNumber = 0;

  /// The loop that an op is; without an op if it is none.
  static BlockLoop of(mlir::Operation *op);
};

/// Whether the value is the extent of an axis of one of two tensors.
bool isExtent(mlir::Value value, mlir::Value first, mlir::Value second,
              int64_t axis);

/// Blocks of causal attention: the last query and the last key belong together.
struct AttentionBlocks {
  BlockLoop rows, keys;
  /// How many keys there are.
  mlir::Value keyCount;

  /// The last key that the first query of a block sees: keys - queries + row.
  pl::LinearForm firstSeen() const;
  /// Whether a loop over blocks of keys that ends at the least of these meets
  /// all that a block of queries sees.
  bool reachesSeen(llvm::ArrayRef<mlir::Value> ends) const;
  /// Whether the condition holds wherever the last key of a block comes after
  /// the first query of a block: key + step - 1 > firstSeen.
  bool holdsForHidden(mlir::Value condition) const;
  /// Whether the value is what is left of an axis where a block begins.
  bool isRest(mlir::Value value, bool ofRows) const;
};

/// Whether the value is that sum.
bool isLinearForm(mlir::Value value, const pl::LinearForm &linear);

/// Takes a minimum apart.
void collectLeast(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &parts);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_ATTENTIONBLOCKS_H
