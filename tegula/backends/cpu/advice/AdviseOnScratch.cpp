// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/advice/Advice.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tegula;
using llvm::formatv;

namespace {

/// A buffer, as far as a call uses it.
struct UsedBuffer {
  /// The tile in it that takes most.
  Value tile;
  Extents extents;
  double bytes = 0;
};

} // namespace

static std::string formatSize(double bytes) {
  bool isMega = bytes >= 1 << 20;
  return formatv("{0:F1} {1}", bytes / (isMega ? 1 << 20 : 1 << 10),
                 isMega ? "MiB" : "KiB");
}

static std::vector<UsedBuffer> measureBuffers(Advised &advised) {
  ArrayRef<TileBuffer> buffers = advised.plan.placement.getBuffers();
  std::vector<UsedBuffer> used(buffers.size());
  for (auto [tile, id] : advised.plan.placement.getTiles()) {
    std::optional<Extents> extents = advised.shapes.findExtents(tile);
    if (!extents)
      continue;
    double bytes =
        elementsOf(*extents) * buffers[id].element.getIntOrFloatBitWidth() / 8;
    if (bytes > used[id].bytes)
      used[id] = {tile, *extents, bytes};
  }
  return used;
}

// Buffers that are in use at one time are all in use where the last of them
// begins to be.
void tegula::adviseOnScratch(Advised &advised) {
  if (advised.sizes.cacheBytes == 0)
    return;
  std::vector<UsedBuffer> used = measureBuffers(advised);
  ArrayRef<Lifetime> lives = advised.plan.lifetimes;
  double most = 0;
  size_t largest = 0;
  for (const Lifetime &now : lives) {
    double bytes = 0;
    size_t candidate = 0;
    for (auto [other, life] : llvm::enumerate(lives)) {
      if (life.first > now.first || life.last < now.first)
        continue;
      bytes += used[other].bytes;
      if (used[other].bytes >= used[candidate].bytes)
        candidate = other;
    }
    if (bytes > most) {
      most = bytes;
      largest = candidate;
    }
  }
  if (most <= static_cast<double>(advised.sizes.cacheBytes))
    return;
  const UsedBuffer &tile = used[largest];
  advised.remark(
      tile.tile.getLoc(),
      formatv("this tile of {0} elements takes {1}, and all tiles that are "
              "needed at the same time {2}: the cache next to a core has {3}, "
              "so they go to memory and back; make tiles smaller, by a loop "
              "over parts of the largest axis",
              formatExtents(tile.extents), formatSize(tile.bytes),
              formatSize(most),
              formatSize(static_cast<double>(advised.sizes.cacheBytes))));
}
