// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the kernels of this folder are launched with: matmuls in tiles on
/// chips since sm_80.

#ifndef TEGULA_LAUNCH_GPU_ABI_TILEABI_H
#define TEGULA_LAUNCH_GPU_ABI_TILEABI_H

#include <cstdint>

/// An operand. Its outer axis is the matmul's rows or columns, the inner
/// one is K. Strides are in elements.
struct TegulaTileOperand {
  uint64_t address;
  int64_t outer, inner;
};

/// The matmul: sizes, and the slots of the call for its epilogue.
struct TegulaTileMatmul {
  static constexpr int32_t mostSlots = 128;
  TegulaTileOperand left, right;
  int32_t rows, columns, inner;
  /// Whether columns that a thread has side by side can be read and written at
  /// once, in every tensor.
  int32_t areGroups;
  /// How many blocks share the accumulators of a tile, and how many steps each
  /// has at most. If there are several, each has a slot for its partial
  /// accumulators, and there is a zero for each tile to count them.
  int32_t splits, splitSteps;
  uint64_t partials, arrivals;
  int64_t slots[mostSlots];
};

extern "C" {

/// What the compiler makes of the rest of a kernel: runs the epilogue on
/// accumulators of a row. There are so many columns `left` from the first one
/// on. Groups can be read and written at once.
///
/// Four columns side by side.
void tegulaTileStoreQuadSingles(const int64_t *slots, int32_t row,
                                int32_t column, int32_t left, float, float,
                                float, float);
void tegulaTileStoreQuadGroups(const int64_t *slots, int32_t row,
                               int32_t column, int32_t left, float, float,
                               float, float);
/// Two columns of every eight, four times. Accumulators of integers come as
/// their bits.
void tegulaTileStorePairSingles(const int64_t *slots, int32_t row,
                                int32_t column, int32_t left, float, float,
                                float, float, float, float, float, float);
void tegulaTileStorePairGroups(const int64_t *slots, int32_t row,
                               int32_t column, int32_t left, float, float,
                               float, float, float, float, float, float);

} // extern "C"

/// Threads of a block for narrow elements, and for copies.
inline constexpr int32_t tegulaTileThreads = 256;

/// Shared memory of the kernels for FP32: buffers of 8 elements of each row and
/// column, and four words between them.
inline constexpr int32_t tegulaFloatStages = 4;
inline constexpr int32_t tegulaFloatDepth = 8;
inline constexpr int32_t tegulaFloatApart = 4;
inline constexpr int32_t tegulaFloatShared(int32_t rows, int32_t columns) {
  return tegulaFloatStages * tegulaFloatDepth *
         (rows + columns + 2 * tegulaFloatApart) * 4;
}

/// The same of those for narrow elements: 64 bytes of each row and column.
inline constexpr int32_t tegulaNarrowStages = 4;
inline constexpr int32_t tegulaNarrowBytes = 64;
inline constexpr int32_t tegulaNarrowShared(int32_t rows, int32_t columns) {
  return tegulaNarrowStages * tegulaNarrowBytes * (rows + columns);
}

/// The same for FP32 that is rounded to TF32: there may be eight words between
/// 16 rows of the rhs.
inline constexpr int32_t tegulaWordsApart = 8;
inline constexpr int32_t tegulaWordShared(int32_t rows, int32_t columns) {
  return tegulaNarrowStages * tegulaNarrowBytes *
         (rows + columns + tegulaWordsApart);
}

/// A matrix that is copied to rows of its own, transposed or not. Strides are
/// in elements.
struct TegulaTileCopy {
  uint64_t source, target;
  int64_t row, column, pitch;
  int32_t rows, columns;
};
inline constexpr int32_t tegulaTileCopySide = 64;

#endif // TEGULA_LAUNCH_GPU_ABI_TILEABI_H
