// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the kernels of Matmul.cpp are launched with.

#ifndef TEGULA_LAUNCH_GPU_ABI_MATMULABI_H
#define TEGULA_LAUNCH_GPU_ABI_MATMULABI_H

#include <cstdint>

/// A tensor as the driver describes it to the chip.
struct alignas(64) TegulaTensorMap {
  uint64_t words[16];
};

/// The matmul: sizes, and the slots of the call for its epilogue.
struct TegulaMatmul {
  static constexpr int32_t mostSlots = 128;
  int32_t rows, columns, inner;
  /// Whether there is an even number of columns, and two of them lie where two
  /// can be read and written at once, in every tensor.
  int32_t arePairs;
  /// The same of eight; the epilogue operand can be copied then.
  int32_t areEights;
  /// Rows of a box of the lhs.
  int32_t boxRows;
  /// Blocks of a cluster, which have tiles below each other.
  int32_t cluster;
  int64_t slots[mostSlots];
};

extern "C" {

/// What the compiler makes of the rest of a kernel: runs the epilogue on
/// accumulators in a row, eight side by side, and eight more 64 columns
/// further. There are so many columns `left` from the first one on. In the
/// second function pairs can be read and written at once, in the third all
/// eight; that one is given the words that were read for it before.
/// Accumulators of integers come as their bits.
#define TEGULA_EPILOGUE_ACCUMULATORS                                           \
  float, float, float, float, float, float, float, float, float, float, float, \
      float, float, float, float, float
void tegulaMatmulEpilogueSingles(const int64_t *slots, int32_t row,
                                 int32_t column, int32_t left,
                                 const uint32_t *words,
                                 TEGULA_EPILOGUE_ACCUMULATORS);
void tegulaMatmulEpiloguePairs(const int64_t *slots, int32_t row,
                               int32_t column, int32_t left,
                               const uint32_t *words,
                               TEGULA_EPILOGUE_ACCUMULATORS);
void tegulaMatmulEpilogueEights(const int64_t *slots, int32_t row,
                                int32_t column, int32_t left,
                                const uint32_t *words,
                                TEGULA_EPILOGUE_ACCUMULATORS);

/// Reads them: so many at most. If there would be more it reads none, and the
/// other function reads itself. The first words are those of the epilogue
/// operand, which are left out if there is a copy.
#define TEGULA_EPILOGUE_WORDS 32
void tegulaMatmulReadEights(const int64_t *slots, int32_t row, int32_t column,
                            int32_t left, uint32_t *words, bool hasCopy);

/// How many tensors are read in rows, and the bytes of an element of the first
/// one, the epilogue operand. 0 if it is not to be copied.
int32_t tegulaMatmulCountReads();
int32_t tegulaMatmulEpilogueOperandBytes();

/// Whether the epilogue takes long.
bool tegulaMatmulIsLong();

/// Where something is, by its number, that will be read for 64 columns of a
/// row; null if there is no more. It begins with the epilogue operand.
const void *tegulaMatmulPrefetch(const int64_t *slots, int32_t row,
                                 int32_t column, int32_t number);

} // extern "C"

/// Threads of a block, and the shared memory of the kernel for tiles of so many
/// columns: buffers of 128 bytes of each row and column, barriers, and room for
/// accumulators on their way to other threads.
inline constexpr int32_t tegulaMatmulThreads = 384;
inline constexpr int32_t tegulaMatmulRows = 128;
/// Elements of so many bytes that are summed up in a step.
inline constexpr int32_t tegulaMatmulDepth(int32_t bytes) {
  return 128 / bytes;
}
inline constexpr int32_t tegulaMatmulStages(int64_t columns) {
  return columns == 128 ? 6 : 4;
}
inline constexpr int64_t tegulaMatmulBuffer(int64_t columns) {
  return (tegulaMatmulRows + columns) * 128;
}
/// Rows of a tile that such a buffer has of the epilogue operand, with
/// elements of so many bytes, at most four.
inline constexpr int32_t tegulaMatmulEpilogueOperandRows(int64_t columns,
                                                         int64_t bytes) {
  int32_t rows = tegulaMatmulRows;
  while (rows * columns * bytes > tegulaMatmulBuffer(columns))
    rows /= 2;
  return rows;
}
/// Bytes for barriers.
inline constexpr int32_t tegulaMatmulBarriers = 256;
inline constexpr int32_t tegulaMatmulShared(int64_t columns) {
  return static_cast<int32_t>(tegulaMatmulStages(columns) *
                              tegulaMatmulBuffer(columns)) +
         1024 + tegulaMatmulBarriers + 32768;
}

/// The same of kernels whose blocks share the steps of a tile.
inline constexpr int32_t tegulaSplitThreads = 256;
inline constexpr int32_t tegulaSplitRows = 64;
inline constexpr int32_t tegulaSplitStages(int64_t columns) {
  return columns == 64 ? 12 : 8;
}
inline constexpr int32_t tegulaSplitShared(int64_t columns) {
  return static_cast<int32_t>(tegulaSplitStages(columns) *
                              (tegulaSplitRows + columns) * 128) +
         1024 + 256;
}
/// Blocks of a cluster that every chip can run.
inline constexpr int32_t tegulaMostSplit = 8;

#endif // TEGULA_LAUNCH_GPU_ABI_MATMULABI_H
