// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles that are put together only to be stored: each operand is stored by
/// itself, so that no thread has to hold elements of several.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_SPLITSTORES_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_SPLITSTORES_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// Removes each `pl.concat` of the loop that is only stored.
void splitStores(pl::ParallelOp loop);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_SPLITSTORES_H
