// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What planning has to know of a machine. The plan itself names no target.

#ifndef TEGULA_TRANSFORMS_PLAN_PLANOPTIONS_H
#define TEGULA_TRANSFORMS_PLAN_PLANOPTIONS_H

#include <cstdint>

namespace tegula {

/// The memories a tile can be in, besides the tensor it is loaded from.
enum class MemorySpace {
  /// What every op reads and writes.
  Scratch,
  /// Where products take their left and right factors from.
  LeftFactor,
  RightFactor,
  /// Where products are summed up.
  Accumulator
};

/// The number of memory spaces.
constexpr unsigned numMemorySpaces = 4;

/// Options of all parts of a plan.
struct PlanOptions {
  /// How many ops on tiles one loop computes, before registers run out.
  unsigned longestChain = 48;
  /// Every buffer starts at a multiple of so many bytes.
  int64_t alignment = 64;
  /// Whether the turns of an independent loop run at once, each with a frame
  /// of its own.
  bool hasTurnFrames = true;
  /// Whether products have memories of their own for factors and sums.
  bool hasMatrixBuffers = false;
  /// Whether factors have to lie in memory in the element type of the sum.
  bool widensFactors = true;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_PLANOPTIONS_H
