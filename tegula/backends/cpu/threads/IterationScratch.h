// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tensors that a kernel makes in each iteration of a parallel loop. Where the
/// first iteration needs the most, its memory serves all iterations of a
/// thread.

#ifndef TEGULA_BACKENDS_CPU_THREADS_ITERATIONSCRATCH_H
#define TEGULA_BACKENDS_CPU_THREADS_ITERATIONSCRATCH_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Takes memory that shrinks before the first of the iterations and gives it
/// back after the last; the iterations themselves take none where that was all.
void takeScratchOnce(mlir::scf::ForOp loop);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_THREADS_ITERATIONSCRATCH_H
