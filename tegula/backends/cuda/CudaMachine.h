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

/// Of a chip such as `sm_90a`: 90.
unsigned getChipNumber(llvm::StringRef chip);

/// How many bytes the threads of a block share wherever code for a chip such as
/// `sm_90a` may run, but for what the compiler takes for itself.
int64_t getSharedBytes(llvm::StringRef chip);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_CUDAMACHINE_H
