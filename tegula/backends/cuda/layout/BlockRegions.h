// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops of a core loop that have no rule for tiles in registers: they take and
/// make tiles in memory, and the rest of the loop stays in registers.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_BLOCKREGIONS_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_BLOCKREGIONS_H

#include "tegula/backends/cuda/layout/CoreLoops.h"

namespace tegula {

/// Puts each of these ops of the loop into a `cuda.block_region`. Tiles that
/// are made outside of the loop are made again in it, or loaded.
void makeBlockRegions(pl::ParallelOp loop,
                      llvm::ArrayRef<VariantRejection> inMemory);

/// All ops of the loop, each before what is in it, but for those in block
/// regions.
void visitInRegisters(pl::ParallelOp loop,
                      llvm::function_ref<void(mlir::Operation *)> visit);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_BLOCKREGIONS_H
