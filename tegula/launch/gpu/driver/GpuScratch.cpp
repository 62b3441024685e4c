// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/GpuScratch.h"

#include <algorithm>

using namespace tegula;

/// What blocks get together, and each by itself, whatever a request says.
static constexpr int64_t leastCommon = 64 << 20, leastOwn = 1 << 20;
/// No machine has more.
static constexpr int64_t most = int64_t(1) << 46;
/// Blocks are not worth more than this together.
static constexpr int64_t mostForBlocks = int64_t(4) << 30;

static int64_t roundUp(int64_t bytes, int64_t instead) {
  constexpr int64_t line = 256;
  if (bytes < 0 || bytes > most)
    bytes = instead;
  return (std::max<int64_t>(bytes, 1) + line - 1) / line * line;
}

GpuScratch::GpuScratch(const TegulaGpuRequest &request, int64_t mostBlocks)
    : common(roundUp(request.commonBytes, leastCommon)),
      own(roundUp(request.ownBytes, leastOwn)),
      blocks(std::clamp<int64_t>(request.iterations, 1, mostBlocks)) {
  blocks = std::clamp<int64_t>(mostForBlocks / own, 1, blocks);
}

bool GpuScratch::shrink() {
  if (blocks > 1) {
    blocks /= 2;
    return true;
  }
  if (common <= leastCommon && own <= leastOwn)
    return false;
  common = std::min(common, leastCommon);
  own = std::min(own, leastOwn);
  return true;
}
