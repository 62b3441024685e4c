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

#define COPY_KERNEL(NAME, ELEMENTS)                                            \
  TILE_KERNEL tegulaTileCopy##NAME(TegulaTileCopy matrix) {                    \
    copySquares<ELEMENTS>(matrix);                                             \
  }

COPY_KERNEL(Bytes, SameElements<uint8_t>)
COPY_KERNEL(Halves, SameElements<uint16_t>)
#define ROW(NAME, ...) COPY_KERNEL(NAME, ElementsOf##NAME)
TEGULA_GPU_CONVERSIONS(ROW)
#undef ROW
