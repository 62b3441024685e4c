// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How an operand of FP32 gets to shared memory.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_TILES_FLOATOPERAND_H
#define TEGULA_BACKENDS_CUDA_DEVICE_TILES_FLOATOPERAND_H

#include "tegula/backends/cuda/device/tiles/TileInstructions.h"
#include "tegula/launch/gpu/abi/TileAbi.h"

namespace tegula::tiles {

/// What one thread copies of an operand of which a block of so many threads has
/// `Side` rows or columns. In shared memory elements of one step of the inner
/// axis are contiguous, those beyond the operand are zero.
template <int32_t Side, int32_t Threads> struct FloatOperand {
  static constexpr int32_t depth = tegulaFloatDepth;
  static constexpr int32_t pitch = Side + tegulaFloatApart;
  static constexpr int32_t bytes = depth * pitch * 4;
  static constexpr int32_t number = Side * depth / Threads;
  static_assert(Threads >= Side && number >= 4);

  /// Four elements that are contiguous along the outer axis, at multiples of 16
  /// bytes; elements one by one along that axis, or along the inner axis, so
  /// that neighbours in memory are copied by neighbours.
  enum class Way { Quads, Across, Along };

  Way way;
  /// How many elements there are from this thread's on along the outer axis,
  /// and along the inner one from that of the block.
  int32_t outerLeft, innerLeft;
  int32_t kIndex;
  /// In memory, from one of the thread's elements to the next.
  int64_t step;
  /// Where it reads next, how far it goes after that, and where it writes.
  uint64_t source;
  int64_t advance;
  uint32_t target;
  /// Whether all elements are there along the outer axis.
  bool isWhole;

  /// The inner axis begins at the element `begin`.
  INLINE FloatOperand(const TegulaTileOperand &operand, int32_t first,
                      int32_t extent, int32_t begin, int32_t inner,
                      uint32_t memory) {
    int32_t thread = threadOfBlock(), outer;
    if (operand.outer != 1) {
      way = Way::Along;
      outer = thread / depth;
      kIndex = thread % depth;
      step = Threads / depth * operand.outer;
    } else if (operand.inner % 4 == 0 && operand.address % 16 == 0) {
      way = Way::Quads;
      outer = thread % (Side / 4) * 4;
      kIndex = thread / (Side / 4);
      step = Threads / (Side / 4) * operand.inner;
    } else {
      way = Way::Across;
      outer = thread % Side;
      kIndex = thread / Side;
      step = Threads / Side * operand.inner;
    }
    step *= 4;
    outerLeft = extent - first - outer;
    innerLeft = inner - begin;
    isWhole = extent - first >= Side;
    source = operand.address + 4 * ((first + outer) * operand.outer +
                                    (begin + kIndex) * operand.inner);
    advance = 4 * depth * operand.inner;
    target = memory + 4 * (kIndex * pitch + outer);
  }

  /// Begins to copy the next part to a buffer.
  INLINE void copy(uint32_t offset) {
    uint32_t to = target + offset;
    if (way == Way::Along)
      copySingles<Threads / depth, 0>(to);
    else if (way == Way::Across)
      copySingles<0, Threads / Side>(to);
    else
      copyQuads(to);
    source += advance;
    innerLeft -= depth;
  }

private:
  /// From one of a thread's elements to the next it is so far.
  template <int32_t Outer, int32_t Inner> INLINE void copySingles(uint32_t to) {
    constexpr int32_t targetStep = 4 * (Inner * pitch + Outer);
    if (isWhole && innerLeft >= depth) {
      UNROLL
      for (int32_t i = 0; i < number; ++i)
        copyWord(to + i * targetStep, source + i * step);
      return;
    }
    UNROLL
    for (int32_t i = 0; i < number; ++i) {
      bool isThere = i * Outer < outerLeft && kIndex + i * Inner < innerLeft;
      copyWord(to + i * targetStep, source + i * step, isThere ? 4 : 0);
    }
  }

  INLINE void copyQuads(uint32_t to) {
    constexpr int32_t quads = number / 4, together = Threads / (Side / 4);
    int32_t most = outerLeft < 0 ? 0 : outerLeft < 4 ? outerLeft : 4;
    UNROLL
    for (int32_t i = 0; i < quads; ++i)
      copyQuad(to + 4 * i * together * pitch, source + i * step,
               kIndex + i * together < innerLeft ? 4 * most : 0);
  }
};

} // namespace tegula::tiles

#endif // TEGULA_BACKENDS_CUDA_DEVICE_TILES_FLOATOPERAND_H
