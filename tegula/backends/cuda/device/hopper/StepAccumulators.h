// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Accumulators of one step, of types that tensor cores keep few bits of: they
/// are added to other accumulators, which have all bits of FP32.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_STEPACCUMULATORS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_STEPACCUMULATORS_H

#include "tegula/backends/cuda/device/hopper/Instructions.h"

namespace tegula::hopper {

/// So many of each thread: half as many as there are columns.
template <OperandType Type, int32_t Count> struct StepAccumulators {
  /// The first matmul does not read them. If they were set, or kept from step
  /// to step, they would be moved to other registers.
  float sums[Count];

  /// Multiplies all of a step, and waits for it. Then its buffer is free.
  __attribute__((always_inline)) StepAccumulators(uint64_t a, uint64_t b) {
    warpgroupArrive();
#pragma unroll
    for (int32_t part = 0; part < wgmmasPerStep; ++part)
      tegula::hopper::multiply<Type, false>(sums, a + (part * wgmmaBytes >> 4),
                                            b + (part * wgmmaBytes >> 4),
                                            part == 0);
    warpgroupCommit();
    finish(sums);
  }

  __attribute__((always_inline)) void addTo(float *others) const {
#pragma unroll
    for (int32_t i = 0; i < Count; ++i)
      addHere(others[i], sums[i]);
  }
};

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_STEPACCUMULATORS_H
