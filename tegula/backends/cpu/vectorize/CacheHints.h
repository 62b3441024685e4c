// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What cpu.stream and cpu.uncached say about the operands of an op.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_CACHEHINTS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_CACHEHINTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

struct CacheHints {
  /// Reads the hints; the op then has the memory itself.
  static CacheHints takeFrom(mlir::linalg::GenericOp op);

  /// An i1: whether stores go past the caches. Null if they never do.
  mlir::Value streams;
  /// An i1: whether one of the operands that rows are read from is so large
  /// that no cache has it. Null if none ever is.
  mlir::Value isOutOfCache;
  /// Those operands.
  llvm::SmallVector<mlir::OpOperand *> uncached;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_CACHEHINTS_H
