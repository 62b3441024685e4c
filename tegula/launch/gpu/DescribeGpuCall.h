// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which variant of a GPU kernel a call takes, and why, in words.

#ifndef TEGULA_LAUNCH_GPU_DESCRIBEGPUCALL_H
#define TEGULA_LAUNCH_GPU_DESCRIBEGPUCALL_H

#include "tegula/launch/gpu/GpuProgram.h"
#include "tegula/launch/gpu/driver/GpuChip.h"

namespace tegula {

/// What a call does.
struct GpuCallDescription {
  /// Lines.
  std::string text;
  GpuCores cores = GpuCores::Ordinary;
};

GpuCallDescription describeGpuCall(const GpuProgram &program,
                                   const int64_t *slots, const GpuChip &chip);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_DESCRIBEGPUCALL_H
