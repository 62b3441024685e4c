// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a matrix to rows that chunks can be taken from, with any strides: a
// block reads a square as it lies and writes it as it shall lie.

#include "tegula/launch/gpu/tiles/TileAbi.h"
#include "tegula/launch/gpu/tiles/TileThread.h"

using namespace tegula::tiles;

static constexpr int32_t side = tegulaTileCopySide;

/// The squares that this block copies. Threads meet after each.
template <typename Visit>
static void forEachSquare(const TegulaTileCopy &matrix, Visit visit) {
  int32_t across = (matrix.columns - 1) / side + 1;
  int32_t squares = ((matrix.rows - 1) / side + 1) * across;
  for (int32_t number = block(); number < squares; number += countBlocks()) {
    visit(number / across * side, number % across * side);
    meet();
  }
}

/// Elements may become others on their way.
template <typename Source, typename Element, typename Convert>
static void copySquare(const TegulaTileCopy &matrix, int32_t row,
                       int32_t column, SHARED Element *square,
                       Convert convert) {
  constexpr int32_t pitch = side + 4 / sizeof(Element);
  constexpr int32_t together = tegulaTileThreads / side;
  int32_t fast = threadOfBlock() % side, slow = threadOfBlock() / side;
  auto *source = (const Source *)matrix.source;
  auto *target = (Element *)matrix.target;
  bool isAlong = matrix.column == 1;
  UNROLL
  for (int32_t i = 0; i < side; i += together) {
    int32_t down = isAlong ? slow + i : fast, right = isAlong ? fast : slow + i;
    if (row + down < matrix.rows && column + right < matrix.columns)
      square[down * pitch + right] = convert(
          source[(row + down) * matrix.row + (column + right) * matrix.column]);
  }
  meet();
  UNROLL
  for (int32_t i = 0; i < side; i += together)
    if (row + slow + i < matrix.rows && column + fast < matrix.columns)
      target[(row + slow + i) * matrix.pitch + column + fast] =
          square[(slow + i) * pitch + fast];
}

/// A whole square of bytes that lie side by side along its columns: a thread
/// turns four by four of them.
static void turnSquare(const TegulaTileCopy &matrix, int32_t row,
                       int32_t column, SHARED uint32_t *square) {
  constexpr int32_t words = side / 4, pitch = words + 1;
  int32_t down = threadOfBlock() % words * 4;
  int32_t right = threadOfBlock() / words * 4;
  uint64_t source =
      matrix.source + row + down + (column + right) * matrix.column;
  uint32_t found[4];
  UNROLL
  for (int32_t i = 0; i < 4; ++i)
    found[i] = *(const uint32_t *)(source + i * matrix.column);
  UNROLL
  for (int32_t i = 0; i < 4; ++i) {
    uint32_t word = 0;
    UNROLL
    for (int32_t j = 0; j < 4; ++j)
      word |= (found[j] >> 8 * i & 0xff) << 8 * j;
    square[(down + i) * pitch + right / 4] = word;
  }
  meet();
  int32_t fast = threadOfBlock() % words, slow = threadOfBlock() / words;
  UNROLL
  for (int32_t i = 0; i < side; i += tegulaTileThreads / words)
    *(uint32_t *)(matrix.target + (row + slow + i) * matrix.pitch + column +
                  4 * fast) = square[(slow + i) * pitch + fast];
}

static SHARED uint32_t memory[side * (side + 2) / 2];

/// All of a matrix as elements of two bytes.
template <typename Source, typename Convert>
static void copyToHalves(const TegulaTileCopy &matrix, Convert convert) {
  forEachSquare(matrix, [&](int32_t row, int32_t column) {
    copySquare<Source>(matrix, row, column, (SHARED uint16_t *)memory, convert);
  });
}

/// The bits of the FP16 with the value of an FP8. Exponents count from 7, not
/// from 15, so the same bits are 256 times too small; there is no infinity.
static uint16_t fromE4M3FN(uint8_t bits) {
  uint32_t sign = uint32_t(bits & 0x80) << 8, rest = bits & 0x7f;
  if (rest == 0x7f)
    return sign | 0x7fff;
  if (rest >= 8)
    return sign | ((rest << 7) + (8 << 10));
  // Multiples of 2^-9, which FP16 has as usual numbers.
  int32_t shift = rest >= 4 ? 0 : rest >= 2 ? 1 : 2;
  return rest == 0
             ? sign
             : sign | (uint32_t(8 - shift) << 10) | ((rest << shift & 3) << 8);
}

TILE_KERNEL tegulaTileCopyBytes(TegulaTileCopy matrix) {
  bool hasWords = matrix.row == 1 && matrix.column % 4 == 0 &&
                  matrix.source % 4 == 0 && matrix.pitch % 4 == 0 &&
                  matrix.target % 4 == 0;
  forEachSquare(matrix, [&](int32_t row, int32_t column) {
    if (hasWords && matrix.rows - row >= side &&
        matrix.columns - column >= side)
      turnSquare(matrix, row, column, memory);
    else
      copySquare<uint8_t>(matrix, row, column, (SHARED uint8_t *)memory,
                          [](uint8_t bits) { return bits; });
  });
}

TILE_KERNEL tegulaTileCopyHalves(TegulaTileCopy matrix) {
  copyToHalves<uint16_t>(matrix, [](uint16_t bits) { return bits; });
}

TILE_KERNEL tegulaTileCopyFp8E4M3FN(TegulaTileCopy matrix) {
  copyToHalves<uint8_t>(matrix, fromE4M3FN);
}

/// The upper half of an FP16.
TILE_KERNEL tegulaTileCopyFp8E5M2(TegulaTileCopy matrix) {
  copyToHalves<uint8_t>(matrix, [](uint8_t bits) { return bits << 8; });
}
