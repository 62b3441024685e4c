// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of FP32 matrices, each element a chain of fused multiplications and
// additions. A block has a tile of the matmul and copies what it needs next of
// the operands in the background; a thread has groups of four rows and columns
// of the tile in registers.

#include "tegula/backends/cuda/device/tiles/FloatOperand.h"
#include "tegula/backends/cuda/device/tiles/SplitKReduction.h"
#include "tegula/backends/cuda/device/tiles/TileCoord.h"

using namespace tegula::tiles;

namespace {

typedef float Quad __attribute__((vector_size(16)));

/// A warp is four threads high and eight wide.
template <int32_t ThreadRows, int32_t ThreadColumns, int32_t WarpsDown,
          int32_t WarpsAcross>
struct FloatKernel {
  static constexpr int32_t warpRows = 4 * ThreadRows;
  static constexpr int32_t warpColumns = 8 * ThreadColumns;
  static constexpr int32_t rows = WarpsDown * warpRows;
  static constexpr int32_t columns = WarpsAcross * warpColumns;
  static constexpr int32_t threads = 32 * WarpsDown * WarpsAcross;
  static constexpr int32_t stages = tegulaFloatStages;
  static constexpr int32_t depth = tegulaFloatDepth;
  using Left = FloatOperand<rows, threads>;
  using Right = FloatOperand<columns, threads>;
  static constexpr int32_t stageBytes = Left::bytes + Right::bytes;

  const TegulaTileMatmul &matmul;
  TileCoord<rows, columns> tile;
  SplitRange split;
  Left left;
  Right right;
  /// Where the thread's first row and column are in the tile.
  int32_t row, column;
  /// Elements of the operands for one step, and for the next.
  float a[2][ThreadRows], b[2][ThreadColumns];
  float sums[ThreadRows][ThreadColumns];

  INLINE explicit FloatKernel(const TegulaTileMatmul &matmul)
      : matmul(matmul), tile(matmul), split(matmul, depth),
        left(matmul.left, tile.row, matmul.rows, split.first * depth,
             matmul.inner, startOfMemory()),
        right(matmul.right, tile.column, matmul.columns, split.first * depth,
              matmul.inner, startOfMemory() + Left::bytes) {
    int32_t thread = threadOfBlock();
    int32_t warp = thread / 32, lane = thread % 32;
    row = warp / WarpsAcross * warpRows + lane / 8 * 4;
    column = warp % WarpsAcross * warpColumns + lane % 8 * 4;
  }

  INLINE void run() {
    for (int32_t i = 0; i < stages - 1; ++i)
      copy(i, i < split.steps);
    UNROLL
    for (int32_t i = 0; i < ThreadRows; ++i)
      UNROLL
    for (int32_t j = 0; j < ThreadColumns; ++j)
      sums[i][j] = 0;
    awaitCopies<stages - 2>();
    syncThreads();
    int32_t stage = 0, next = stages - 1;
    load<0>(0, 0);
    for (int32_t step = 0; step < split.steps; ++step) {
      int32_t after = stage + 1 == stages ? 0 : stage + 1;
      UNROLL
      for (int32_t i = 0; i < depth; i += 2) {
        load<1>(stage, i + 1);
        multiply<0>();
        // In the middle, where there is something to do meanwhile: the next
        // part is there then, and nobody needs that of before any more.
        if (i == depth / 2) {
          awaitCopies<stages - 3>();
          syncThreads();
          copy(next, step + stages - 1 < split.steps);
          next = next + 1 == stages ? 0 : next + 1;
        }
        load<0>(i + 2 == depth ? after : stage, (i + 2) % depth);
        multiply<1>();
      }
      stage = after;
    }
    if (matmul.splits == 1 ||
        addSplits<threads, ThreadRows * ThreadColumns>(matmul, sums[0]))
      store();
  }

  /// Begins to copy what comes next, if there is something.
  INLINE void copy(int32_t stage, bool isThere) {
    if (isThere) {
      left.copy(stage * stageBytes);
      right.copy(stage * stageBytes);
    }
    endCopies();
  }

  template <int32_t To> INLINE void load(int32_t stage, int32_t i) {
    auto *memory =
        (SHARED const float *)(tegulaTileMemory + stage * stageBytes);
    auto *fromLeft = memory + i * Left::pitch + row;
    auto *fromRight = memory + Left::bytes / 4 + i * Right::pitch + column;
    UNROLL
    for (int32_t j = 0; j < ThreadRows; j += 4) {
      Quad quad = *(SHARED const Quad *)(fromLeft + 4 * j);
      for (int32_t k = 0; k < 4; ++k)
        a[To][j + k] = quad[k];
    }
    UNROLL
    for (int32_t j = 0; j < ThreadColumns; j += 4) {
      Quad quad = *(SHARED const Quad *)(fromRight + 8 * j);
      for (int32_t k = 0; k < 4; ++k)
        b[To][j + k] = quad[k];
    }
  }

  /// Forth and back, so that each has one element of the operands in common
  /// with the one before: two registers are read at once, and a third is not.
  template <int32_t From> INLINE void multiply() {
    UNROLL
    for (int32_t i = 0; i < ThreadRows; ++i)
      UNROLL
    for (int32_t k = 0; k < ThreadColumns; ++k) {
      int32_t j = i % 2 ? ThreadColumns - 1 - k : k;
      sums[i][j] = __builtin_fmaf(a[From][i], b[From][j], sums[i][j]);
    }
  }

  INLINE void store() const {
    UNROLL
    for (int32_t i = 0; i < ThreadRows; ++i) {
      int32_t at = tile.row + row + i / 4 * 16 + i % 4;
      if (at >= matmul.rows)
        continue;
      UNROLL
      for (int32_t j = 0; j < ThreadColumns; j += 4) {
        int32_t first = tile.column + column + 8 * j;
        int32_t left = matmul.columns - first;
        if (left <= 0)
          continue;
        const float *d = sums[i] + j;
        if (matmul.areGroups)
          tegulaTileStoreQuadGroups(matmul.slots, at, first, left, d[0], d[1],
                                    d[2], d[3]);
        else
          tegulaTileStoreQuadSingles(matmul.slots, at, first, left, d[0], d[1],
                                     d[2], d[3]);
      }
    }
  }
};

} // namespace

#define KERNEL(NAME, THREAD_ROWS, THREAD_COLUMNS, WARPS_DOWN, WARPS_ACROSS)    \
  TILE_KERNEL NAME(TegulaTileMatmul matmul) {                                  \
    FloatKernel<THREAD_ROWS, THREAD_COLUMNS, WARPS_DOWN, WARPS_ACROSS>(matmul) \
        .run();                                                                \
  }

KERNEL(tegulaTileFp32x128x128, 16, 8, 2, 2)
KERNEL(tegulaTileFp32x128x64, 8, 8, 4, 1)
KERNEL(tegulaTileFp32x64x64, 8, 8, 2, 1)
