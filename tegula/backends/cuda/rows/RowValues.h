// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values of a row-wise kernel that were computed, as the thread has them.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWVALUES_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWVALUES_H

#include "mlir/IR/IRMapping.h"
#include "tegula/transforms/rows/RowwiseKernel.h"

namespace tegula {

struct RowValues {
  explicit RowValues(const RowwiseKernel &program) : program(program) {}

  /// An element of a value; those that are the same in all columns have one.
  mlir::Value elementOf(mlir::Value value, size_t i) const;

  const RowwiseKernel &program;
  /// What is no tile.
  mlir::IRMapping numbers;
  /// The thread's elements of tiles, in the order of its runs.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> elements;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWVALUES_H
