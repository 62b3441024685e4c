// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The accumulators that the kernel of a matmul hands over.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWACCUMULATORS_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWACCUMULATORS_H

#include "tegula/backends/cuda/rows/RowState.h"

namespace tegula {

/// The elements of a matmul, from accumulators that kernels hand over as FP32,
/// those of integers as their bits.
llvm::SmallVector<mlir::Value> emitAccumulators(RowState &state,
                                                mlir::ValueRange sums);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWACCUMULATORS_H
