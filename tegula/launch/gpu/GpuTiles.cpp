// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuTiles.h"

#include "tegula/launch/gpu/abi/TileAbi.h"

#include <algorithm>

using namespace tegula;

std::string GpuTile::getName() const {
  return "x" + std::to_string(rows) + "x" + std::to_string(columns);
}

int64_t GpuTile::countTiles(int64_t ofRows, int64_t ofColumns) const {
  return ((ofRows - 1) / rows + 1) * ((ofColumns - 1) / columns + 1);
}

const std::vector<GpuTile> &tegula::getTiles(GpuElement element) {
  static const std::vector<GpuTile> floats = {{128, 128, 128, 2, 757, 905},
                                              {128, 64, 128, 3, 404, 574},
                                              {64, 64, 64, 6, 200, 560}};
  static const std::vector<GpuTile> narrow = {{128, 256, 256, 1, 626, 626},
                                              {128, 128, 256, 2, 356, 450},
                                              {64, 64, 256, 3, 150, 200}};
  static const std::vector<GpuTile> words = {{128, 256, 256, 1, 690, 690},
                                             {128, 128, 256, 2, 390, 490},
                                             {64, 64, 256, 3, 165, 220}};
  return element == GpuElement::Fp32   ? floats
         : element == GpuElement::Tf32 ? words
                                       : narrow;
}

std::string tegula::getTilePrefix(GpuElement element) {
  switch (getMultiplied(element)) {
  case GpuElement::Bf16:
    return "tegulaTileBf16";
  case GpuElement::Fp16:
    return "tegulaTileFp16";
  case GpuElement::Fp32:
    return "tegulaTileFp32";
  case GpuElement::Tf32:
    return "tegulaTileTf32";
  case GpuElement::Int8:
    return "tegulaTileInt8";
  case GpuElement::Uint8:
    return "tegulaTileUint8";
  default:
    return "";
  }
}

std::string tegula::getTileCopy(GpuElement element) {
  switch (element) {
  case GpuElement::Fp32:
  case GpuElement::Tf32:
    return "";
  case GpuElement::Fp8E4M3FN:
    return "tegulaTileCopyFp8E4M3FN";
  case GpuElement::Fp8E5M2:
    return "tegulaTileCopyFp8E5M2";
  case GpuElement::Bf16:
  case GpuElement::Fp16:
    return "tegulaTileCopyHalves";
  default:
    return "tegulaTileCopyBytes";
  }
}

int64_t tegula::getTileDepth(GpuElement element) {
  return element == GpuElement::Fp32
             ? tegulaFloatDepth
             : tegulaNarrowBytes / getElementBytes(getMultiplied(element));
}

/// Whether kernels read the rows in place.
static bool hasChunks(GpuElement element, const GpuMatrix &matrix) {
  constexpr int64_t chunk = 16;
  return element == getMultiplied(element) && matrix.column == 1 &&
         matrix.address % chunk == 0 &&
         matrix.row * getElementBytes(element) % chunk == 0;
}

GpuTileOperands::GpuTileOperands(GpuElement element, const GpuMatmulCall &call)
    : left(call.left), right(call.right.transposed()) {
  if (element == GpuElement::Fp32)
    return;
  if (element == GpuElement::Tf32) {
    isAcross = call.right.column == 1;
    if (isAcross)
      right = call.right;
    isLeftByWords = !hasChunks(element, left);
    isRightByWords = !hasChunks(element, right);
    return;
  }
  isAcross = getElementBytes(getMultiplied(element)) == 2 &&
             (hasChunks(element, call.right) || !hasChunks(element, right));
  if (isAcross)
    right = call.right;
  isLeftCopied = !hasChunks(element, left);
  isRightCopied = !hasChunks(element, right);
}

int64_t GpuTilePlan::getPartialBytes() const {
  constexpr int64_t bytes = 4;
  return splits == 1 ? 0 : countBlocks() * tile->rows * tile->columns * bytes;
}

int64_t GpuTilePlan::getArrivalBytes() const {
  constexpr int64_t bytes = 4;
  return splits == 1 ? 0 : tiles * bytes;
}

static int64_t divideUp(int64_t count, int64_t each) {
  return (count - 1) / each + 1;
}

/// Nanoseconds, about.
static int64_t estimate(const GpuTilePlan &plan, int64_t numSMs) {
  const GpuTile &tile = *plan.tile;
  // Threads of a processor are shared out among its four parts.
  constexpr int64_t subPartitionThreads = 128;
  int64_t blocks = divideUp(subPartitionThreads, tile.threads);
  int64_t each =
      divideUp(divideUp(plan.countBlocks(), numSMs), blocks) * blocks;
  int64_t step = std::max(tile.timeAlone, each * tile.time);
  int64_t time = plan.splitSteps * step;
  if (plan.splits == 1)
    return time;
  // All blocks write parts and one of each tile reads them.
  constexpr int64_t beginning = 4000, perSM = 15, together = 500;
  int64_t elements = tile.rows * tile.columns;
  return time + beginning + plan.splits * elements / perSM +
         plan.countBlocks() * elements / together;
}

GpuTilePlan tegula::planTiles(GpuElement element, int64_t rows, int64_t columns,
                              int64_t inner, int64_t numSMs) {
  int64_t steps = divideUp(inner, getTileDepth(element));
  GpuTilePlan best{};
  for (const GpuTile &tile : getTiles(element)) {
    int64_t tiles = tile.countTiles(rows, columns);
    for (int64_t splits : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
      // No more blocks than run at once, and none without steps.
      if (splits > 1 &&
          (splits > steps || tiles * splits > numSMs * tile.blocks))
        break;
      int64_t each = divideUp(steps, splits);
      GpuTilePlan plan{&tile, tiles, divideUp(steps, each), each};
      if (!best.tile || estimate(plan, numSMs) < estimate(best, numSMs))
        best = plan;
    }
  }
  return best;
}
