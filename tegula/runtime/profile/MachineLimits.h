// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What one core of this processor can do at most, measured.

#ifndef TEGULA_RUNTIME_PROFILE_MACHINELIMITS_H
#define TEGULA_RUNTIME_PROFILE_MACHINELIMITS_H

#include <cstdint>

namespace tegula {

/// Multiplications and additions of FP32 in a second, on vectors that stay in
/// registers.
double measurePeak();

/// Bytes in a second, read and written, when memory is copied; both halves
/// together take `bytes`.
double measureCopyRate(uint64_t bytes);

/// Bytes that the largest cache holds that a core has for itself; 0 if the
/// system does not say.
int64_t getCoreCacheBytes();

} // namespace tegula

#endif // TEGULA_RUNTIME_PROFILE_MACHINELIMITS_H
