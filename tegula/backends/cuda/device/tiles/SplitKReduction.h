// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Split-K: accumulators that several blocks have partial values of.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_TILES_SPLITKREDUCTION_H
#define TEGULA_BACKENDS_CUDA_DEVICE_TILES_SPLITKREDUCTION_H

#include "tegula/backends/cuda/device/tiles/TileInstructions.h"
#include "tegula/launch/gpu/abi/TileAbi.h"

namespace tegula::tiles {

/// Where a block is along the inner axis: steps of so many elements, or all of
/// them.
struct SplitRange {
  int32_t number, first, steps;

  INLINE SplitRange(const TegulaTileMatmul &matmul, int32_t depth) {
    int32_t all = (matmul.inner - 1) / depth + 1;
    number = block() % matmul.splits;
    first = number * matmul.splitSteps;
    steps = all - first < matmul.splitSteps ? all - first : matmul.splitSteps;
  }
};

/// Adds up what blocks of a tile have, in their order whoever comes last; that
/// one goes on with the accumulators, and the others are done.
template <int32_t Threads, int32_t Count, typename Sum>
INLINE inline bool addSplits(const TegulaTileMatmul &matmul, Sum *sums) {
  int32_t thread = threadOfBlock(), tile = block() / matmul.splits;
  auto *parts = (Sum *)matmul.partials +
                int64_t(tile) * matmul.splits * (Count * Threads);
  auto *own = parts + int64_t(block() % matmul.splits) * (Count * Threads);
  UNROLL
  for (int32_t i = 0; i < Count; ++i)
    own[i * Threads + thread] = sums[i];
  if (countArrivals((uint32_t *)matmul.arrivals + tile) != matmul.splits)
    return false;
  UNROLL
  for (int32_t i = 0; i < Count; ++i)
    sums[i] = 0;
  for (int32_t split = 0; split < matmul.splits;
       ++split, parts += Count * Threads) {
    UNROLL
    for (int32_t i = 0; i < Count; ++i)
      sums[i] += parts[i * Threads + thread];
  }
  return true;
}

} // namespace tegula::tiles

#endif // TEGULA_BACKENDS_CUDA_DEVICE_TILES_SPLITKREDUCTION_H
