// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The elements of one linalg.generic, shared out among the threads of a block.

#ifndef TEGULA_BACKENDS_CUDA_THREADS_DISTRIBUTEGENERIC_H
#define TEGULA_BACKENDS_CUDA_THREADS_DISTRIBUTEGENERIC_H

#include "tegula/backends/cuda/threads/ThreadCode.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tegula {

/// Emits the loops where the op is, which stays. The last loop is shared by as
/// many threads as it has iterations, up to all of them, and the one before it
/// by what is left. Where the last loop sums up, each thread sums up a part and
/// the parts are combined.
void distributeGeneric(ThreadCode &code, mlir::linalg::GenericOp op);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_THREADS_DISTRIBUTEGENERIC_H
