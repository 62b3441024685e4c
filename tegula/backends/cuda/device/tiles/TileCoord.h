// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the tile of a block is.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILECOORD_H
#define TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILECOORD_H

#include "tegula/backends/cuda/device/tiles/TileThread.h"
#include "tegula/launch/gpu/abi/TileAbi.h"

namespace tegula::tiles {

/// The first row and column of a tile. Tiles of some rows of them come one
/// after the other, column by column, so that what they read is still near.
template <int32_t Rows, int32_t Columns> struct TileCoord {
  int32_t row, column;

  explicit TileCoord(const TegulaTileMatmul &matmul) {
    constexpr int32_t together = 8;
    int32_t number = block() / matmul.splits;
    int32_t countRows = (matmul.rows - 1) / Rows + 1;
    int32_t countColumns = (matmul.columns - 1) / Columns + 1;
    int32_t each = together * countColumns;
    int32_t first = number / each * together;
    int32_t height =
        countRows - first < together ? countRows - first : together;
    row = (first + number % each % height) * Rows;
    column = number % each / height * Columns;
  }
};

} // namespace tegula::tiles

#endif // TEGULA_BACKENDS_CUDA_DEVICE_TILES_TILECOORD_H
