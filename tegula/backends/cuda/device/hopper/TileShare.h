// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a thread has of the accumulators of a tile when it stores them.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_TILESHARE_H
#define TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_TILESHARE_H

#include "tegula/backends/cuda/device/hopper/TileCoord.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"

namespace tegula::hopper {

/// Rows of a tile.
inline constexpr int32_t rows = tegulaMatmulRows;
inline constexpr int32_t warpThreads = 32;

/// What a thread of a warpgroup has of a tile: eight rows and 128 columns of
/// each warp at a time, in so many parts.
template <int32_t Columns, bool IsPingPong> struct TileShare {
  /// Matmuls of 64 rows that a warpgroup has of a tile, and chunks of 128
  /// columns.
  static constexpr int32_t halves = IsPingPong ? 2 : 1;
  static constexpr int32_t across = (Columns + 127) / 128;
  static constexpr int32_t parts = 2 * halves * across;

  int32_t row, column, end;

  TileShare(const TegulaMatmul &matmul, TileCoord tile, int32_t warpgroup,
            int32_t thread) {
    int32_t lane = thread % warpThreads, warp = thread / warpThreads;
    row = tile.row * rows + (IsPingPong ? 0 : warpgroup * 64) + warp * 16 +
          lane / 8;
    column = tile.column * Columns + lane % 8 * 8;
    end = (tile.column + 1) * Columns;
    end = end < matmul.columns ? end : matmul.columns;
  }
  int32_t rowOf(int32_t part) const {
    return row + 64 * (part / across / 2) + 8 * (part / across % 2);
  }
  int32_t columnOf(int32_t part) const {
    return column + 128 * (part % across);
  }
};

/// Parts of a tile that a warpgroup stores. Accumulators are its own, or the
/// other one left them.
struct StoredChunks {
  int32_t first, end;
  bool isOwn;
};

} // namespace tegula::hopper

#endif // TEGULA_BACKENDS_CUDA_DEVICE_HOPPER_TILESHARE_H
