// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What passes may ask about a GPU.

#ifndef TEGULA_BACKENDS_CUDA_CUDAMACHINE_H
#define TEGULA_BACKENDS_CUDA_CUDAMACHINE_H

#include "tegula/transforms/MachineModel.h"

namespace tegula {

const MachineModel &getCudaMachine();

/// Threads of a block.
inline constexpr int64_t cudaThreads = 256;

/// The most bytes of a block's tiles that lie in the memory its threads share.
inline constexpr int64_t mostSharedTiles = 96 << 10;

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_CUDAMACHINE_H
