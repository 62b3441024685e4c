// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How an operand of narrow elements gets to shared memory, and from there to
/// the registers of matmuls.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_TILES_NARROWOPERAND_H
#define TEGULA_BACKENDS_CUDA_DEVICE_TILES_NARROWOPERAND_H

#include "tegula/backends/cuda/device/tiles/TileInstructions.h"
#include "tegula/launch/gpu/abi/TileAbi.h"

namespace tegula::tiles {

/// Sixteen bytes, which are copied at once.
constexpr int32_t chunkBytes = 16;

/// The least of these that is not negative.
INLINE inline int32_t clampChunk(int32_t bytes) {
  return bytes < 0 ? 0 : bytes < chunkBytes ? bytes : chunkBytes;
}

/// An operand in shared memory whose elements are contiguous along the inner
/// axis, of which a block has `Side` rows or columns. Each has 64 bytes, four
/// chunks. Those of two neighbours fill all banks; the next ones have theirs in
/// another order, so that eight chunks of eight neighbours do so, too.
template <int32_t Side> struct AlongRows {
  static constexpr int32_t stageBytes = tegulaNarrowBytes * Side;

  INLINE static uint32_t offsetOfChunk(int32_t outer, int32_t chunk) {
    return outer * tegulaNarrowBytes + (chunk ^ (outer >> 1 & 3)) * chunkBytes;
  }

  /// Where a lane finds its row of four matrices, those of 16 rows of the
  /// lhs or 16 columns of the right one from `first` on.
  INLINE static uint32_t offsetOfLeft(int32_t lane, int32_t first) {
    return offsetOf(lane, first, lane / 8 % 2, lane / 16);
  }
  INLINE static uint32_t offsetOfRight(int32_t lane, int32_t first) {
    return offsetOf(lane, first, lane / 16, lane / 8 % 2);
  }

  /// The words of a lane: of the first or the second 32 bytes, which are where
  /// bit 5 is another.
  template <int32_t Half>
  INLINE static void load(uint32_t (&words)[4], uint32_t memory,
                          uint32_t offset, uint32_t fragment) {
    loadMatrices<false>(words, memory + offset + (fragment ^ Half << 5));
  }

private:
  INLINE static uint32_t offsetOf(int32_t lane, int32_t first, int32_t second,
                                  int32_t further) {
    int32_t outer = first + lane % 8 + 8 * second;
    return outer * tegulaNarrowBytes + (further ^ (lane % 8 >> 1)) * chunkBytes;
  }
};

/// How such an operand gets there that has elements of one or two bytes and
/// lies so in memory, too.
template <int32_t Bytes, int32_t Side> struct AlongOperand : AlongRows<Side> {
  static constexpr int32_t together = tegulaTileThreads / 4;

  /// From this thread's on, along the outer axis, and bytes along the inner
  /// axis.
  int32_t outerLeft, innerLeft;
  uint64_t source;
  int64_t step;
  uint32_t target;

  INLINE AlongOperand(const TegulaTileOperand &operand, int32_t first,
                      int32_t extent, int32_t begin, int32_t inner,
                      uint32_t memory) {
    int32_t thread = threadOfBlock();
    int32_t outer = thread / 4, chunk = thread % 4;
    outerLeft = extent - first - outer;
    // The inner axis has less than 2^31 elements.
    innerLeft = inner - begin - chunk * (chunkBytes / Bytes);
    source = operand.address + (first + outer) * operand.outer * Bytes +
             int64_t(begin) * Bytes + chunk * chunkBytes;
    step = together * operand.outer * Bytes;
    target = memory + AlongRows<Side>::offsetOfChunk(outer, chunk);
  }

  /// Begins to copy the next part to a buffer. Beyond the operand it is zero.
  INLINE void copy(uint32_t offset) {
    constexpr int32_t most = chunkBytes / Bytes;
    int32_t count = clampChunk((innerLeft < most ? innerLeft : most) * Bytes);
    UNROLL
    for (int32_t i = 0; i < Side / together; ++i)
      copyQuad(target + offset + i * together * tegulaNarrowBytes,
               source + i * step, i * together < outerLeft ? count : 0);
    source += tegulaNarrowBytes;
    innerLeft -= tegulaNarrowBytes / Bytes;
  }
};

/// An rhs whose elements are contiguous along its columns: of two
/// bytes here, of four in WordOperand.h. In shared memory there are 32 rows of
/// `Side` columns; chunks of each have another order, so that those of eight
/// rows fill all banks.
template <int32_t Bytes, int32_t Side> struct AcrossOperand {
  static_assert(Bytes == 2);
  static constexpr int32_t stageBytes = tegulaNarrowBytes * Side;
  static constexpr int32_t rowBytes = Side * 2, chunks = Side / 8;
  static constexpr int32_t together = tegulaTileThreads / chunks;
  static constexpr int32_t depth = tegulaNarrowBytes / 2;

  int32_t count, innerLeft;
  uint64_t source;
  int64_t step, advance;
  uint32_t target;

  INLINE AcrossOperand(const TegulaTileOperand &operand, int32_t first,
                       int32_t extent, int32_t begin, int32_t inner,
                       uint32_t memory) {
    int32_t thread = threadOfBlock();
    int32_t kIndex = thread / chunks, chunk = thread % chunks;
    int32_t left = extent - first - chunk * 8;
    count = clampChunk((left < 8 ? left : 8) * 2);
    innerLeft = inner - begin - kIndex;
    source = operand.address + (begin + kIndex) * operand.inner * 2 +
             int64_t(first) * 2 + chunk * chunkBytes;
    step = together * operand.inner * 2;
    advance = depth * operand.inner * 2;
    target = memory + kIndex * rowBytes + (chunk ^ (kIndex & 7)) * chunkBytes;
  }

  INLINE void copy(uint32_t offset) {
    UNROLL
    for (int32_t i = 0; i < depth / together; ++i)
      copyQuad(target + offset + i * together * rowBytes, source + i * step,
               i * together < innerLeft ? count : 0);
    source += advance;
    innerLeft -= depth;
  }

  /// Where a lane finds its row of the four matrices of 16 columns from `first`
  /// on, for the first 16 steps of the inner axis; the others are 16 rows
  /// further.
  INLINE static uint32_t offsetOfRight(int32_t lane, int32_t first) {
    int32_t kIndex = lane % 8 + 8 * (lane / 8 % 2);
    int32_t chunk = first / 8 + lane / 16;
    return kIndex * rowBytes + (chunk ^ (lane % 8)) * chunkBytes;
  }

  template <int32_t Half>
  INLINE static void load(uint32_t (&words)[4], uint32_t memory,
                          uint32_t offset, uint32_t fragment) {
    loadMatrices<true>(words,
                       memory + offset + fragment + Half * 16 * rowBytes);
  }
};

} // namespace tegula::tiles

#endif // TEGULA_BACKENDS_CUDA_DEVICE_TILES_NARROWOPERAND_H
