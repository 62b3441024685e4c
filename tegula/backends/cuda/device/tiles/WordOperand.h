// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How an operand of FP32 gets to shared memory, and from there to the
/// registers of matmuls on the tensor cores. It may have any strides: what does
/// not begin at multiples of 16 bytes, or is not contiguous, is copied word by
/// word.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_TILES_WORDOPERAND_H
#define TEGULA_BACKENDS_CUDA_DEVICE_TILES_WORDOPERAND_H

#include "tegula/backends/cuda/device/tiles/NarrowOperand.h"

namespace tegula::tiles {

/// Steps of the inner axis in a buffer.
constexpr int32_t wordDepth = tegulaNarrowBytes / 4;

/// An lhs of any strides, and an rhs whose columns are not contiguous.
template <int32_t Side> struct AlongOperand<4, Side> : AlongRows<Side> {
  static constexpr int32_t chunksTogether = tegulaTileThreads / 4;
  static constexpr int32_t wordsTogether = tegulaTileThreads / wordDepth;

  bool hasChunks;
  /// From this thread's on, along the outer axis and along the inner axis.
  int32_t outerLeft, innerLeft;
  uint64_t source;
  int64_t step, advance;
  uint32_t target;

  INLINE AlongOperand(const TegulaTileOperand &operand, int32_t first,
                      int32_t extent, int32_t begin, int32_t inner,
                      uint32_t memory) {
    int32_t thread = threadOfBlock(), outer, chunk, word;
    hasChunks = operand.inner == 1 && operand.outer % 4 == 0 &&
                operand.address % chunkBytes == 0;
    if (hasChunks) {
      outer = thread / 4;
      chunk = thread % 4;
      word = 0;
    } else {
      // A warp has the words of eight chunks that fill all banks, neighbours in
      // memory one after the other.
      int32_t lane = thread % 32, warp = thread / 32;
      bool isAcross = operand.outer == 1;
      outer = warp / 4 * 8 + (isAcross ? lane % 8 : lane / 4);
      chunk = warp % 4;
      word = isAcross ? lane / 8 : lane % 4;
    }
    int32_t kIndex = chunk * 4 + word;
    outerLeft = extent - first - outer;
    innerLeft = inner - begin - kIndex;
    source = operand.address + 4 * ((first + outer) * operand.outer +
                                    (begin + kIndex) * operand.inner);
    step = 4 * (hasChunks ? chunksTogether : wordsTogether) * operand.outer;
    advance = 4 * wordDepth * operand.inner;
    target = memory + AlongRows<Side>::offsetOfChunk(outer, chunk) + 4 * word;
  }

  /// Begins to copy the next part to a buffer. Beyond the operand it is zero.
  INLINE void copy(uint32_t offset) {
    uint32_t to = target + offset;
    if (hasChunks)
      copyChunks(to);
    else
      copyWords(to);
    source += advance;
    innerLeft -= wordDepth;
  }

private:
  INLINE void copyChunks(uint32_t to) {
    int32_t count = clampChunk((innerLeft < 4 ? innerLeft : 4) * 4);
    UNROLL
    for (int32_t i = 0; i < Side / chunksTogether; ++i)
      copyQuad(to + i * chunksTogether * tegulaNarrowBytes, source + i * step,
               i * chunksTogether < outerLeft ? count : 0);
  }
  INLINE void copyWords(uint32_t to) {
    int32_t count = innerLeft > 0 ? 4 : 0;
    UNROLL
    for (int32_t i = 0; i < Side / wordsTogether; ++i)
      copyWord(to + i * wordsTogether * tegulaNarrowBytes, source + i * step,
               i * wordsTogether < outerLeft ? count : 0);
  }
};

/// An rhs whose columns are contiguous. In shared memory there are 16
/// rows of them, with eight words between, so that what a warp takes of four
/// rows fills all banks.
template <int32_t Side> struct AcrossOperand<4, Side> {
  static constexpr int32_t pitch = Side + tegulaWordsApart;
  static constexpr int32_t stageBytes = wordDepth * pitch * 4;
  static constexpr int32_t chunksTogether = tegulaTileThreads * 4 / Side;
  static constexpr int32_t wordsTogether = tegulaTileThreads / Side;

  bool hasChunks;
  int32_t outerLeft, innerLeft;
  uint64_t source;
  int64_t step, advance;
  uint32_t target;

  INLINE AcrossOperand(const TegulaTileOperand &operand, int32_t first,
                       int32_t extent, int32_t begin, int32_t inner,
                       uint32_t memory) {
    int32_t thread = threadOfBlock();
    hasChunks = operand.inner % 4 == 0 && operand.address % chunkBytes == 0;
    int32_t outer = hasChunks ? thread % (Side / 4) * 4 : thread % Side;
    int32_t kIndex = hasChunks ? thread / (Side / 4) : thread / Side;
    outerLeft = extent - first - outer;
    innerLeft = inner - begin - kIndex;
    source = operand.address +
             4 * (int64_t(first) + outer + (begin + kIndex) * operand.inner);
    step = 4 * (hasChunks ? chunksTogether : wordsTogether) * operand.inner;
    advance = 4 * wordDepth * operand.inner;
    target = memory + 4 * (kIndex * pitch + outer);
  }

  INLINE void copy(uint32_t offset) {
    uint32_t to = target + offset;
    if (hasChunks)
      copyChunks(to);
    else
      copyWords(to);
    source += advance;
    innerLeft -= wordDepth;
  }

  /// Where a lane finds the first of its words of 16 columns from `first` on.
  INLINE static uint32_t offsetOfRight(int32_t lane, int32_t first) {
    return 4 * (lane % 4 * pitch + first + lane / 4);
  }

  /// Two words of each eight columns, four rows apart; of the first or the
  /// second eight rows.
  template <int32_t Half>
  INLINE static void load(uint32_t (&words)[4], uint32_t, uint32_t offset,
                          uint32_t fragment) {
    auto *from =
        (SHARED const uint32_t *)(tegulaTileMemory + offset + fragment);
    UNROLL
    for (int32_t i = 0; i < 4; ++i)
      words[i] = from[(8 * Half + i % 2 * 4) * pitch + i / 2 * 8];
  }

private:
  INLINE void copyChunks(uint32_t to) {
    int32_t count = clampChunk((outerLeft < 4 ? outerLeft : 4) * 4);
    UNROLL
    for (int32_t i = 0; i < wordDepth / chunksTogether; ++i)
      copyQuad(to + 4 * i * chunksTogether * pitch, source + i * step,
               i * chunksTogether < innerLeft ? count : 0);
  }
  INLINE void copyWords(uint32_t to) {
    int32_t count = outerLeft > 0 ? 4 : 0;
    UNROLL
    for (int32_t i = 0; i < wordDepth / wordsTogether; ++i)
      copyWord(to + 4 * i * wordsTogether * pitch, source + i * step,
               i * wordsTogether < innerLeft ? count : 0);
  }
};

} // namespace tegula::tiles

#endif // TEGULA_BACKENDS_CUDA_DEVICE_TILES_WORDOPERAND_H
