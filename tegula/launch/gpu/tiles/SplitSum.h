// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sums that several blocks have parts of.

#ifndef TEGULA_LAUNCH_GPU_TILES_SPLITSUM_H
#define TEGULA_LAUNCH_GPU_TILES_SPLITSUM_H

#include "tegula/launch/gpu/tiles/TileAbi.h"
#include "tegula/launch/gpu/tiles/TileInstructions.h"

namespace tegula::tiles {

/// Where a block is in the sum: steps of so many elements, or all of them.
struct SplitPlace {
  int32_t number, first, steps;

  INLINE SplitPlace(const TegulaTileProduct &product, int32_t depth) {
    int32_t all = (product.inner - 1) / depth + 1;
    number = block() % product.splits;
    first = number * product.splitSteps;
    steps = all - first < product.splitSteps ? all - first : product.splitSteps;
  }
};

/// Adds up what blocks of a tile have, in their order whoever comes last; that
/// one goes on with the sums, and the others are done.
template <int32_t Threads, int32_t Number, typename Sum>
INLINE inline bool addSplits(const TegulaTileProduct &product, Sum *sums) {
  int32_t thread = threadOfBlock(), tile = block() / product.splits;
  auto *parts = (Sum *)product.partials +
                int64_t(tile) * product.splits * (Number * Threads);
  auto *own = parts + int64_t(block() % product.splits) * (Number * Threads);
  UNROLL
  for (int32_t i = 0; i < Number; ++i)
    own[i * Threads + thread] = sums[i];
  if (countArrivals((uint32_t *)product.arrivals + tile) != product.splits)
    return false;
  UNROLL
  for (int32_t i = 0; i < Number; ++i)
    sums[i] = 0;
  for (int32_t split = 0; split < product.splits;
       ++split, parts += Number * Threads) {
    UNROLL
    for (int32_t i = 0; i < Number; ++i)
      sums[i] += parts[i * Threads + thread];
  }
  return true;
}

} // namespace tegula::tiles

#endif // TEGULA_LAUNCH_GPU_TILES_SPLITSUM_H
