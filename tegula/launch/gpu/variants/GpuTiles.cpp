// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/variants/GpuTiles.h"

#include "tegula/launch/gpu/abi/TileAbi.h"

#include <algorithm>

using namespace tegula;

std::string GpuTile::getName() const {
  return "x" + std::to_string(rows) + "x" + std::to_string(columns);
}

int64_t GpuTile::countTiles(int64_t ofRows, int64_t ofColumns) const {
  return ((ofRows - 1) / rows + 1) * ((ofColumns - 1) / columns + 1);
}

const std::vector<GpuTile> &tegula::getTiles(GpuOperandType type) {
  static const std::vector<GpuTile> floats = {{128, 128, 128, 2, 757, 905},
                                              {128, 64, 128, 3, 404, 574},
                                              {64, 64, 64, 6, 200, 560}};
  static const std::vector<GpuTile> narrow = {{128, 256, 256, 1, 626, 626},
                                              {128, 128, 256, 2, 356, 450},
                                              {64, 64, 256, 3, 150, 200}};
  static const std::vector<GpuTile> words = {{128, 256, 256, 1, 690, 690},
                                             {128, 128, 256, 2, 390, 490},
                                             {64, 64, 256, 3, 165, 220}};
  GpuOperandKind kind = getKind(type);
  return kind == GpuOperandKind::Ordinary ? floats
         : kind == GpuOperandKind::Word   ? words
                                          : narrow;
}

std::string tegula::getTilePrefix(GpuOperandType type) {
  constexpr const char *names[] = {
#define ROW(NAME, ...) "tegulaTile" #NAME,
      TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
  };
  return names[static_cast<size_t>(type)];
}

/// Kernels take words with any strides.
static bool hasAnyStrides(GpuOperandKind kind) {
  return kind == GpuOperandKind::Ordinary || kind == GpuOperandKind::Word;
}

std::string tegula::getTileCopy(GpuElement element) {
  GpuOperandType type = getOperandType(element, MatmulCode::Tiles);
  return hasAnyStrides(getKind(type)) &&
                 !isConverted(element, MatmulCode::Tiles)
             ? ""
             : std::string("tegulaTileCopy") +
                   getCopyName(element, MatmulCode::Tiles);
}

int64_t tegula::getTileDepth(GpuOperandType type) {
  return getKind(type) == GpuOperandKind::Ordinary
             ? tegulaFloatDepth
             : tegulaNarrowBytes / getBytes(type);
}

int32_t tegula::getTileSharedBytes(GpuOperandType type, const GpuTile &tile) {
  auto rows = static_cast<int32_t>(tile.rows);
  auto columns = static_cast<int32_t>(tile.columns);
  switch (getKind(type)) {
  case GpuOperandKind::Ordinary:
    return tegulaFloatShared(rows, columns);
  case GpuOperandKind::Word:
    return tegulaWordShared(rows, columns);
  default:
    return tegulaNarrowShared(rows, columns);
  }
}

/// Whether kernels read the rows in place.
static bool hasChunks(GpuElement element, const GpuMatrix &matrix) {
  constexpr int64_t chunk = 16;
  return !isConverted(element, MatmulCode::Tiles) && matrix.column == 1 &&
         matrix.address % chunk == 0 &&
         matrix.row * getElementBytes(element) % chunk == 0;
}

GpuTileOperands::GpuTileOperands(const GpuMatmulCall &call)
    : left(call.left), right(call.right.transposed()) {
  GpuElement element = call.element;
  GpuOperandKind kind = getKind(getOperandType(element, MatmulCode::Tiles));
  if (kind == GpuOperandKind::Ordinary)
    return;
  if (kind == GpuOperandKind::Word) {
    isAcross = call.right.column == 1;
    if (isAcross)
      right = call.right;
    isLeftByWords = !hasChunks(element, left);
    isRightByWords = !hasChunks(element, right);
    return;
  }
  isAcross = kind == GpuOperandKind::Half &&
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
  // Threads of an SM are shared out among its four partitions.
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

GpuTilePlan tegula::planTiles(GpuOperandType type, int64_t rows,
                              int64_t columns, int64_t inner, int64_t numSMs) {
  int64_t steps = divideUp(inner, getTileDepth(type));
  GpuTilePlan best{};
  for (const GpuTile &tile : getTiles(type)) {
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
