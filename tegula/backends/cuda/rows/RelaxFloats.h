// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How exact FP32 has to be in a row-wise kernel.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_RELAXFLOATS_H
#define TEGULA_BACKENDS_CUDA_ROWS_RELAXFLOATS_H

#include "tegula/backends/cuda/rows/RowState.h"

namespace tegula {

/// Notes on the op, if it is one on FP32, how much its result may be off.
void relaxFloats(const RowState &state, mlir::Operation *op);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_RELAXFLOATS_H
