// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs kernels of GPUs on this processor, every thread as a fiber: for
/// machines without a GPU, and to find what a GPU would not tell.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_EMULATOR_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_EMULATOR_H

#include "tegula/launch/gpu/abi/GpuAbi.h"
#include <string>

namespace tegula {

/// Processors of the GPU, each of which runs one block at once: one is as good
/// as many, but then none waits for another.
inline constexpr int32_t numEmulatedSMs = 3;

/// How a kernel is launched.
struct EmulatedLaunch {
  TegulaGpuEmulated kernel;
  void *const *parameters;
  int32_t blocks;
  int32_t threads;
  int64_t sharedBytes;
  /// Blocks that run at once; the others wait until these have ended.
  int32_t atOnce;
  /// Blocks that reach each other's shared memory, and so run at once: those
  /// that run at once are whole clusters.
  int32_t cluster = 1;
};

/// Runs it. Returns what is wrong with it: threads that wait for others that
/// never come, memory that is read too early or written too early, and the
/// like. Empty if nothing is.
std::string emulate(const EmulatedLaunch &launch);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_EMULATOR_H
