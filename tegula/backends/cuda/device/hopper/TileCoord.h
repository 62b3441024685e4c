// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where tiles of a matmul are.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_TILECOORD_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_TILECOORD_H

#include <cstdint>

namespace tegula::hopper {

/// Where the tile with a number is. Tiles of some rows of them come one after
/// the other, column by column, so that what they read is still near.
struct TileCoord {
  int32_t row, column;

  TileCoord(int32_t number, int32_t countRows, int32_t countColumns,
            int32_t near) {
    int32_t each = near * countColumns;
    int32_t first = number / each * near;
    int32_t height = countRows - first < near ? countRows - first : near;
    row = first + number % each % height;
    column = number % each / height;
  }
};

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_TILECOORD_H
