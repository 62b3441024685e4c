// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What calls of kernels for GPUs would do, for those who ask.

#ifndef TEGULA_LAUNCH_GPU_GPUEXPLANATION_H
#define TEGULA_LAUNCH_GPU_GPUEXPLANATION_H

#include "tegula/launch/gpu/DescribeGpuCall.h"
#include "tegula/support/GpuAbi.h"

namespace tegula {

/// As long as one is there, calls that this thread makes of kernels for GPUs
/// are described and not run. Nothing of the tensors is touched.
class GpuExplanation {
public:
  GpuExplanation();
  ~GpuExplanation();
  GpuExplanation(const GpuExplanation &) = delete;
  GpuExplanation &operator=(const GpuExplanation &) = delete;

  /// That of this thread, or null.
  static GpuExplanation *getCurrent();

  /// Describes a call on the GPU of the thread's place, or if there is none, on
  /// one as it was compiled for.
  void take(const TegulaGpuRequest &request);

  /// What the last call would do.
  const GpuCallDescription &get() const { return description; }

private:
  GpuExplanation *before;
  GpuCallDescription description;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUEXPLANATION_H
