// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sums of one step, of types that tensor cores keep few bits of: they are
/// added to other sums, which have all bits of FP32.

#ifndef TEGULA_LAUNCH_GPU_HOPPER_STEPSUMS_H
#define TEGULA_LAUNCH_GPU_HOPPER_STEPSUMS_H

#include "tegula/launch/gpu/hopper/Instructions.h"

namespace tegula::hopper {

/// So many of each thread: half as many as there are columns.
template <Factor Type, int32_t Count> struct StepSums {
  /// The first product does not read them. If they were set, or kept from step
  /// to step, they would be moved to other registers.
  float sums[Count];

  /// Multiplies all of a step, and waits for it. Then its buffer is free.
  __attribute__((always_inline)) StepSums(uint64_t a, uint64_t b) {
    beginProducts();
#pragma unroll
    for (int32_t part = 0; part < stepParts; ++part)
      tegula::hopper::multiply<Type, false>(sums, a + (part * partBytes >> 4),
                                            b + (part * partBytes >> 4),
                                            part == 0);
    endProducts();
    finish(sums);
  }

  __attribute__((always_inline)) void addTo(float *others) const {
#pragma unroll
    for (int32_t i = 0; i < Count; ++i)
      addHere(others[i], sums[i]);
  }
};

} // namespace tegula::hopper

#endif // TEGULA_LAUNCH_GPU_HOPPER_STEPSUMS_H
