// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much code lowered tile programs become, roughly, and which ops are
/// better repeated than handed from function to function. How long code takes
/// is in OpCosts.h.

#ifndef TEGULA_BACKENDS_CPU_CHUNKS_CODEWEIGHT_H
#define TEGULA_BACKENDS_CPU_CHUNKS_CODEWEIGHT_H

#include "mlir/IR/Operation.h"

namespace tegula {

/// About how many instructions the op becomes.
int64_t weightOf(mlir::Operation &op);

/// The sum over the ops of the block.
int64_t weightOf(mlir::Block &block);

/// True for constants and for what only describes memory: a copy in each
/// function is better than an argument.
bool isRepeatable(mlir::Operation *op);

/// True for numbers of at most 64 bits and pointers.
bool isPlainScalar(mlir::Type type);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_CHUNKS_CODEWEIGHT_H
