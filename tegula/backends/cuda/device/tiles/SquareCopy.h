// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies a matrix to rows of its own, with any strides, a square at a time: a
/// block reads it row by row and writes it transposed.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_TILES_SQUARECOPY_H
#define TEGULA_BACKENDS_CUDA_DEVICE_TILES_SQUARECOPY_H

#include "tegula/backends/cuda/device/tiles/TileThread.h"
#include "tegula/launch/gpu/abi/GpuOperandType.h"
#include "tegula/launch/gpu/abi/TileAbi.h"

namespace tegula::tiles {

// What elements are, and what they become.

template <typename Element> struct SameElements {
  using Source = Element;
  using Target = Element;
  static Target convert(Source element) { return element; }
};

struct ElementsOfFp8E4M3FN {
  using Source = uint8_t;
  using Target = uint16_t;
  /// The bits of the FP16 with the value of an FP8. Exponents count from 7, not
  /// from 15, so the same bits are 256 times too small; there is no infinity.
  static Target convert(Source bits) {
    uint32_t sign = uint32_t(bits & 0x80) << 8, rest = bits & 0x7f;
    if (rest == 0x7f)
      return sign | 0x7fff;
    if (rest >= 8)
      return sign | ((rest << 7) + (8 << 10));
    // Multiples of 2^-9, which FP16 has as usual numbers.
    int32_t shift = rest >= 4 ? 0 : rest >= 2 ? 1 : 2;
    return rest == 0 ? sign
                     : sign | (uint32_t(8 - shift) << 10) |
                           ((rest << shift & 3) << 8);
  }
};

struct ElementsOfFp8E5M2 {
  using Source = uint8_t;
  using Target = uint16_t;
  /// The upper half of an FP16.
  static Target convert(Source bits) { return bits << 8; }
};

/// The memory of a square, in words, for elements of so many bytes.
inline constexpr int32_t countSquareWords(int32_t bytes) {
  return tegulaTileCopySide * (tegulaTileCopySide * bytes / 4 + 1);
}

template <typename Elements> struct SquareCopy {
  using Source = typename Elements::Source;
  using Target = typename Elements::Target;
  static constexpr int32_t side = tegulaTileCopySide;
  /// Elements of a word, if they stay what they are.
  static constexpr int32_t each = 4 / sizeof(Target);
  static constexpr bool isSame = sizeof(Source) == sizeof(Target);

  const TegulaTileCopy &matrix;
  /// Of a square.
  SHARED uint32_t *memory;

  int32_t countAcross() const { return (matrix.columns - 1) / side + 1; }
  int64_t countIterations() const {
    return (int64_t)((matrix.rows - 1) / side + 1) * countAcross();
  }

  /// Copies the square with that number. All threads of the block do.
  void copy(int64_t number) const {
    auto row = (int32_t)(number / countAcross()) * side;
    auto column = (int32_t)(number % countAcross()) * side;
    if (isSame && hasWords() && matrix.rows - row >= side &&
        matrix.columns - column >= side)
      transpose(row, column);
    else
      copyElements(row, column);
    syncThreads();
  }

  /// Whether elements are contiguous along columns, and those of a square are
  /// whole words.
  bool hasWords() const {
    return matrix.row == 1 && matrix.column % each == 0 &&
           matrix.source % 4 == 0 && matrix.pitch % each == 0 &&
           matrix.target % 4 == 0;
  }

  void copyElements(int32_t row, int32_t column) const {
    constexpr int32_t pitch = side + each;
    constexpr int32_t together = tegulaTileThreads / side;
    int32_t fast = threadOfBlock() % side, slow = threadOfBlock() / side;
    auto *source = (const Source *)matrix.source;
    auto *target = (Target *)matrix.target;
    auto *square = (SHARED Target *)memory;
    bool isAlong = matrix.column == 1;
    // All are on their way before the first is stored: for all that is known
    // a store could change what is read after it.
    Source found[side / together];
    UNROLL
    for (int32_t i = 0; i < side; i += together) {
      int32_t down = row + (isAlong ? slow + i : fast),
              right = column + (isAlong ? fast : slow + i);
      found[i / together] =
          down < matrix.rows && right < matrix.columns
              ? source[down * matrix.row + right * matrix.column]
              : Source(0);
    }
    UNROLL
    for (int32_t i = 0; i < side; i += together) {
      int32_t down = isAlong ? slow + i : fast,
              right = isAlong ? fast : slow + i;
      square[down * pitch + right] = Elements::convert(found[i / together]);
    }
    syncThreads();
    UNROLL
    for (int32_t i = 0; i < side; i += together)
      if (row + slow + i < matrix.rows && column + fast < matrix.columns)
        target[(row + slow + i) * matrix.pitch + column + fast] =
            square[(slow + i) * pitch + fast];
  }

  /// A whole square of such words: a thread transposes as many of them as a
  /// word has elements, some times.
  void transpose(int32_t row, int32_t column) const {
    constexpr int32_t words = side / each, pitch = words + 1;
    constexpr int32_t together = tegulaTileThreads / words;
    int32_t fast = threadOfBlock() % words, slow = threadOfBlock() / words;
    uint32_t found[words / together][each];
    UNROLL
    for (int32_t i = 0; i < words; i += together)
      readWords(row + fast * each, column + (slow + i) * each,
                found[i / together]);
    UNROLL
    for (int32_t i = 0; i < words; i += together)
      transposeWords(found[i / together], fast * each, (slow + i) * each);
    syncThreads();
    UNROLL
    for (int32_t i = 0; i < side; i += together)
      *(uint32_t *)(matrix.target +
                    ((row + slow + i) * matrix.pitch + column + each * fast) *
                        sizeof(Target)) = memory[(slow + i) * pitch + fast];
  }

  /// A word of each of some columns.
  void readWords(int32_t row, int32_t column, uint32_t *found) const {
    UNROLL
    for (int32_t i = 0; i < each; ++i)
      found[i] = *(const uint32_t *)(matrix.source +
                                     (row + (column + i) * matrix.column) *
                                         sizeof(Target));
  }

  /// Stores what they have in each row.
  void transposeWords(const uint32_t *found, int32_t down,
                      int32_t right) const {
    constexpr int32_t pitch = side / each + 1, bits = 32 / each;
    constexpr uint32_t mask = ~0u >> (32 - bits);
    UNROLL
    for (int32_t i = 0; i < each; ++i) {
      uint32_t word = 0;
      UNROLL
      for (int32_t j = 0; j < each; ++j)
        word |= (found[j] >> bits * i & mask) << bits * j;
      memory[(down + i) * pitch + right / each] = word;
    }
  }
};

} // namespace tegula::tiles

#endif // TEGULA_BACKENDS_CUDA_DEVICE_TILES_SQUARECOPY_H
