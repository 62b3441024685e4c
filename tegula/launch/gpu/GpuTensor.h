// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A tensor among the slots of a call.

#ifndef TEGULA_LAUNCH_GPU_GPUTENSOR_H
#define TEGULA_LAUNCH_GPU_GPUTENSOR_H

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

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_GPUTENSOR_H
