// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which instructions a matmul gets, and how threads hold its accumulator.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_MATMULLAYOUTS_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_MATMULLAYOUTS_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// True if tensor cores multiply it; others are multiply-adds of threads.
bool isForTensorCores(pl::MatmulOp matmul);

/// What both operands of multiply-adds have in shared memory together.
int64_t countFmaBytes(pl::MatmulOp matmul);

/// The layout of a matmul's accumulator; operands are not transposed.
mlir::Attribute chooseAccumulator(pl::MatmulOp matmul, int64_t warps);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_MATMULLAYOUTS_H
