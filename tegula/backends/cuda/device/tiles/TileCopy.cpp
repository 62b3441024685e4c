// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a matrix to rows that chunks can be taken from.

#include "tegula/backends/cuda/device/tiles/SquareCopy.h"

using namespace tegula::tiles;

static SHARED uint32_t memory[countSquareWords(2)];

/// The squares that this block copies.
template <typename Elements>
static void copySquares(const TegulaTileCopy &matrix) {
  SquareCopy<Elements> squares{matrix, memory};
  for (int64_t number = block(); number < squares.countIterations();
       number += countBlocks())
    squares.copy(number);
}

TILE_KERNEL tegulaTileCopyBytes(TegulaTileCopy matrix) {
  copySquares<SameElements<uint8_t>>(matrix);
}

TILE_KERNEL tegulaTileCopyHalves(TegulaTileCopy matrix) {
  copySquares<SameElements<uint16_t>>(matrix);
}

TILE_KERNEL tegulaTileCopyFp8E4M3FN(TegulaTileCopy matrix) {
  copySquares<HalvesOfE4M3FN>(matrix);
}

TILE_KERNEL tegulaTileCopyFp8E5M2(TegulaTileCopy matrix) {
  copySquares<HalvesOfE5M2>(matrix);
}
