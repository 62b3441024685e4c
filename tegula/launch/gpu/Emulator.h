// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs kernels of GPUs on this processor, every thread as a fiber: for
/// machines without a GPU, and to find what a GPU would not tell.

#ifndef TEGULA_LAUNCH_GPU_EMULATOR_H
#define TEGULA_LAUNCH_GPU_EMULATOR_H

#include "tegula/support/GpuAbi.h"
#include <string>

namespace tegula {

/// How a kernel is launched.
struct EmulatedLaunch {
  TegulaGpuEmulated kernel;
  void *const *parameters;
  int32_t blocks;
  int32_t threads;
  int64_t sharedBytes;
  /// The number of the first block.
  int32_t firstBlock = 0;
};

/// Runs it. Returns what is wrong with it: threads that wait for others that
/// never come. Empty if nothing is.
std::string emulate(const EmulatedLaunch &launch);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_EMULATOR_H
