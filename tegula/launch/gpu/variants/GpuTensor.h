// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A tensor among the slots of a call.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_GPUTENSOR_H
#define TEGULA_LAUNCH_GPU_VARIANTS_GPUTENSOR_H

#include "tegula/launch/Fields.h"

#include <cstdint>

namespace tegula {

/// Its address is in a slot, then come sizes and strides.
struct GpuTensor {
  int64_t slot;
  int64_t rank;
  /// 4 for half bytes.
  int64_t elementBits;
  bool isWritten;
};

template <> struct Fields<GpuTensor> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("slot", self.slot);
    visit("rank", self.rank);
    visit("element_bits", self.elementBits);
    visit("is_written", self.isWritten);
  }
};

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_GPUTENSOR_H
