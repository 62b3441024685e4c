// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much scratch memory a launch gets, and for how many blocks.

#ifndef TEGULA_LAUNCH_GPU_DRIVER_GPUSCRATCH_H
#define TEGULA_LAUNCH_GPU_DRIVER_GPUSCRATCH_H

#include "tegula/launch/gpu/abi/GpuAbi.h"

namespace tegula {

/// Memory for all blocks together, and for each of them.
struct GpuScratch {
  int64_t common;
  int64_t own;
  int64_t blocks;

  /// What the request asks for, with no more blocks than that. What cannot be
  /// had in any case is left out: the kernel reports it if it gets there.
  GpuScratch(const TegulaGpuRequest &request, int64_t mostBlocks);

  int64_t getBytes() const { return common + blocks * own; }

  /// Asks for less, after there was not enough: for fewer blocks, then for what
  /// kernels get whose needs are not known before. False if it is that already.
  bool shrink();
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_DRIVER_GPUSCRATCH_H
