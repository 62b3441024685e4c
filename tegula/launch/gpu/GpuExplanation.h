// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a call of a kernel for GPUs would do, from its host code.

#ifndef TEGULA_LAUNCH_GPU_GPUEXPLANATION_H
#define TEGULA_LAUNCH_GPU_GPUEXPLANATION_H

#include "tegula/launch/device/CallDescription.h"
#include "tegula/launch/gpu/abi/GpuAbi.h"

namespace tegula {

/// Describes a call on the GPU of the thread's stream, or if there is none, on
/// one as it was compiled for.
void explainGpuCall(const TegulaGpuRequest &request, CallDescriber &describer);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUEXPLANATION_H
