// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where one is in a ring of buffers.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_RINGSLOT_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_RINGSLOT_H

#include <cstdint>

namespace tegula::hopper {

/// A stage of the ring, and the phase of its barriers.
template <int32_t Stages> struct RingSlot {
  int32_t stage = 0;
  uint32_t round = 0;

  void next() {
    if (++stage == Stages) {
      stage = 0;
      round ^= 1;
    }
  }
  /// Goes on by so many stages.
  void skip(int32_t count) {
    int32_t to = stage + count;
    stage = to % Stages;
    round ^= to / Stages & 1;
  }
};

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_RINGSLOT_H
