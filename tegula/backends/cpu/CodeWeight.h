// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much code lowered tile programs become and how long it takes, roughly,
/// and which ops are better repeated than handed from function to function.

#ifndef TEGULA_BACKENDS_CPU_CODEWEIGHT_H
#define TEGULA_BACKENDS_CPU_CODEWEIGHT_H

#include "mlir/IR/Operation.h"

namespace mlir::LLVM {
class CallOp;
} // namespace mlir::LLVM

namespace tegula {

/// About how many instructions the op becomes.
int64_t weightOf(mlir::Operation &op);

/// The sum over the ops of the block.
int64_t weightOf(mlir::Block &block);

/// About how many instructions' time the op takes, without its regions.
int64_t timeOf(mlir::Operation &op);

/// What a call of a routine on rows takes besides: so many quarters of an
/// instruction's time for each of its elements, which are as many as these
/// numbers multiplied.
struct RowWork {
  llvm::SmallVector<mlir::Value, 2> elements;
  int64_t quarters;
};

/// Nothing if the call is of another routine.
std::optional<RowWork> rowWorkOf(mlir::LLVM::CallOp call);

/// True for constants and for what only describes memory: a copy in each
/// function is better than an argument.
bool isRepeatable(mlir::Operation *op);

/// True for numbers of at most 64 bits and pointers.
bool isPlainScalar(mlir::Type type);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_CODEWEIGHT_H
