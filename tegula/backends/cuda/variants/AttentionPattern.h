// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finds kernels that are attention and nothing else, whatever their blocks.

#ifndef TEGULA_BACKENDS_CUDA_VARIANTS_ATTENTIONPATTERN_H
#define TEGULA_BACKENDS_CUDA_VARIANTS_ATTENTIONPATTERN_H

#include "tegula/transforms/rows/VariantRejection.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace tegula {

/// `result = softmax(queries * keys^T * scale) * values` for each head:
///
///   for head, for block of queries:
///     largest, total, sum = lowest, 0, 0
///     for block of keys:
///       scores = queries * keys^T * scale      # hidden where key > query
///       higher = max(largest, max of scores)
///       weights, faded = exp(scores - higher), exp(largest - higher)
///       total = total * faded + sum of weights
///       sum = sum * faded + cast(weights) * values
///       largest = higher
///     result = cast(sum / total)
///
/// All tensors have one 16-bit type, weights are rounded to it before they are
/// multiplied with the values, and everything else is FP32.
struct AttentionPattern {
  mlir::BlockArgument queries, keys, values, result;
  /// What scores are multiplied with: a parameter, or else a number.
  mlir::BlockArgument scale;
  float scaleNumber = 1;
  int64_t headSize = 0;
  /// Heads of queries that share one of keys and values.
  int64_t sharing = 1;
  /// Whether a query sees no keys that come after it; the last query and the
  /// last key belong together.
  bool isCausal = false;

  /// The attention that the function is, if all of it is understood; else the
  /// refusal says what is not.
  static std::optional<AttentionPattern> find(mlir::func::FuncOp function,
                                              VariantRejection &rejection);
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_VARIANTS_ATTENTIONPATTERN_H
