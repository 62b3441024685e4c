// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls on the tensor cores of chips since sm_80: FP16, BF16, and FP32 that
// is rounded to TF32, summed up in FP32, and bytes, summed up in INT32. A block
// has a tile of the matmul and copies what it needs next of the operands in the
// background; a warp multiplies 16 rows by 8 columns at a time.

#include "tegula/backends/cuda/device/tiles/SplitKReduction.h"
#include "tegula/backends/cuda/device/tiles/TileCoord.h"
#include "tegula/backends/cuda/device/tiles/WordOperand.h"

using namespace tegula::tiles;

namespace {

template <bool IsAcross, int32_t Bytes, int32_t Side> struct RhsOperand {
  using Type = AlongOperand<Bytes, Side>;
};
template <int32_t Bytes, int32_t Side> struct RhsOperand<true, Bytes, Side> {
  using Type = AcrossOperand<Bytes, Side>;
};

/// Eight warps, of which so many are below each other. What is multiplied next
/// is loaded meanwhile if there are two sets of registers for it.
template <OperandType Type, bool IsAcross, int32_t Rows, int32_t Columns,
          int32_t WarpsDown, int32_t Sets>
struct NarrowKernel {
  using Sum = tegula::tiles::Sum<Type>;
  static constexpr int32_t bytes = getBytes(Type);
  static constexpr int32_t depth = tegulaNarrowBytes / bytes;
  static constexpr int32_t stages = tegulaNarrowStages;
  static constexpr int32_t warpsAcross = 8 / WarpsDown;
  static constexpr int32_t warpRows = Rows / WarpsDown;
  static constexpr int32_t warpColumns = Columns / warpsAcross;
  /// Parts of 16 rows, and of 8 columns.
  static constexpr int32_t down = warpRows / 16, across = warpColumns / 8;
  using Left = AlongOperand<bytes, Rows>;
  using Right = typename RhsOperand<IsAcross, bytes, Columns>::Type;
  static constexpr int32_t stageBytes = Left::stageBytes + Right::stageBytes;

  const TegulaTileMatmul &matmul;
  TileCoord<Rows, Columns> tile;
  SplitRange split;
  uint32_t memory;
  Left left;
  Right right;
  int32_t lane, row, column;
  uint32_t leftOffset, rightOffset[across / 2];
  uint32_t a[Sets][down][4], b[Sets][across / 2][4];
  Sum sums[down][across][4];

  INLINE explicit NarrowKernel(const TegulaTileMatmul &matmul)
      : matmul(matmul), tile(matmul), split(matmul, depth),
        memory(startOfMemory()),
        left(matmul.left, tile.row, matmul.rows, split.first * depth,
             matmul.inner, memory),
        right(matmul.right, tile.column, matmul.columns, split.first * depth,
              matmul.inner, memory + Left::stageBytes) {
    int32_t thread = threadOfBlock();
    int32_t warp = thread / 32;
    lane = thread % 32;
    row = warp / warpsAcross * warpRows;
    column = warp % warpsAcross * warpColumns;
    leftOffset = Left::offsetOfLeft(lane, row);
    UNROLL
    for (int32_t j = 0; j < across / 2; ++j)
      rightOffset[j] =
          Left::stageBytes + Right::offsetOfRight(lane, column + 16 * j);
  }

  INLINE void run() {
    int32_t steps = split.steps;
    for (int32_t i = 0; i < stages - 1; ++i)
      copy(i, i < steps);
    UNROLL
    for (int32_t i = 0; i < down; ++i)
      UNROLL
    for (int32_t j = 0; j < across; ++j)
      UNROLL
    for (int32_t k = 0; k < 4; ++k)
      sums[i][j][k] = 0;
    awaitCopies<stages - 2>();
    syncThreads();
    int32_t stage = 0, next = stages - 1;
    if (Sets == 2)
      load<0>(0);
    for (int32_t step = 0; step < steps; ++step) {
      // All threads are done with this buffer since the last barrier.
      copy(next, step + stages - 1 < steps);
      next = next + 1 == stages ? 0 : next + 1;
      if constexpr (Sets == 1) {
        load<0>(stage);
        multiplyAll<0>();
      }
      load<1>(stage);
      multiplyAll<Sets == 1 ? 1 : 0>();
      awaitCopies<stages - 2>();
      syncThreads();
      stage = stage + 1 == stages ? 0 : stage + 1;
      if constexpr (Sets == 2) {
        load<0>(stage);
        multiplyAll<1>();
      }
    }
    if (matmul.splits == 1 ||
        addSplits<tegulaTileThreads, down * across * 4>(matmul, sums[0][0]))
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

  /// The first or the second half of a buffer.
  template <int32_t Half> INLINE void load(int32_t stage) {
    uint32_t offset = stage * stageBytes;
    UNROLL
    for (int32_t i = 0; i < down; ++i)
      take<Left, Half>(a[Half % Sets][i], offset + i * 16 * tegulaNarrowBytes,
                       leftOffset);
    UNROLL
    for (int32_t j = 0; j < across / 2; ++j)
      take<Right, Half>(b[Half % Sets][j], offset, rightOffset[j]);
  }

  /// Words of an operand, as matmuls take them.
  template <typename Operand, int32_t Half>
  INLINE void take(uint32_t (&words)[4], uint32_t offset, uint32_t fragment) {
    Operand::template load<Half>(words, memory, offset, fragment);
    if constexpr (getKind(Type) == tegula::GpuOperandKind::Word) {
      UNROLL
      for (int32_t i = 0; i < 4; ++i)
        words[i] = roundToTf32(words[i]);
    }
  }

  template <int32_t Half> INLINE void multiplyAll() {
    UNROLL
    for (int32_t i = 0; i < down; ++i)
      UNROLL
    for (int32_t j = 0; j < across; ++j)
      multiply<Type>(sums[i][j], a[Half % Sets][i],
                     b[Half % Sets][j / 2][j % 2 * 2],
                     b[Half % Sets][j / 2][j % 2 * 2 + 1]);
  }

  INLINE void store() const {
    UNROLL
    for (int32_t i = 0; i < 2 * down; ++i) {
      int32_t at = tile.row + row + 8 * i + lane / 4;
      if (at >= matmul.rows)
        continue;
      UNROLL
      for (int32_t j = 0; j < across; j += 4) {
        int32_t first = tile.column + column + 8 * j + lane % 4 * 2;
        int32_t left = matmul.columns - first;
        if (left <= 0)
          continue;
        float d[8];
        UNROLL
        for (int32_t k = 0; k < 8; ++k)
          d[k] = __builtin_bit_cast(float,
                                    sums[i / 2][j + k / 2][i % 2 * 2 + k % 2]);
        if (matmul.areGroups)
          tegulaTileStorePairGroups(matmul.slots, at, first, left, d[0], d[1],
                                    d[2], d[3], d[4], d[5], d[6], d[7]);
        else
          tegulaTileStorePairSingles(matmul.slots, at, first, left, d[0], d[1],
                                     d[2], d[3], d[4], d[5], d[6], d[7]);
      }
    }
  }
};

} // namespace

#define KERNEL(NAME, TYPE, IS_ACROSS, ROWS, COLUMNS, WARPS_DOWN, SETS)         \
  TILE_KERNEL NAME##x##ROWS##x##COLUMNS(TegulaTileMatmul matmul) {             \
    NarrowKernel<TYPE, IS_ACROSS, ROWS, COLUMNS, WARPS_DOWN, SETS>(matmul)     \
        .run();                                                                \
  }
#define KERNELS(NAME, TYPE, IS_ACROSS)                                         \
  KERNEL(NAME, TYPE, IS_ACROSS, 128, 256, 2, 2)                                \
  KERNEL(NAME, TYPE, IS_ACROSS, 128, 128, 2, 1)                                \
  KERNEL(NAME, TYPE, IS_ACROSS, 64, 64, 4, 2)

// Those of a kind of types.
#define KERNELS_Half(NAME)                                                     \
  KERNELS(tegulaTile##NAME##Across, OperandType::NAME, true)                   \
  KERNELS(tegulaTile##NAME##Along, OperandType::NAME, false)
#define KERNELS_Word(NAME) KERNELS_Half(NAME)
#define KERNELS_Integer(NAME)                                                  \
  KERNELS(tegulaTile##NAME##Along, OperandType::NAME, false)
#define KERNELS_Float8(NAME)
#define KERNELS_Ordinary(NAME)
#define ROW(NAME, KIND, ...) KERNELS_##KIND(NAME)
TEGULA_GPU_OPERAND_TYPES(ROW)
#undef ROW
