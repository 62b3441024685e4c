// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/GpuProduct.h"

using namespace tegula;

static constexpr int64_t tileRows = 128;

/// A tensor of two axes among slots.
static GpuMatrix matrixAt(const int64_t *slots, bool isTurned) {
  GpuMatrix matrix{static_cast<uint64_t>(slots[0]), slots[1], slots[2],
                   slots[3], slots[4]};
  return isTurned ? matrix.turned() : matrix;
}

GpuProductCall::GpuProductCall(const GpuProduct &product, const int64_t *left,
                               const int64_t *right)
    : left(matrixAt(left, product.isLeftTurned)),
      right(matrixAt(right, product.isRightTurned)) {}

/// Numbers of 32 bits count them, and go a little beyond.
static constexpr int64_t mostExtent = (int64_t(1) << 31) - (1 << 20);

bool GpuMatrix::hasBoxes() const {
  return column == 1 && address % 16 == 0 && row > 0 && row * 2 % 16 == 0 &&
         row < mostExtent;
}

bool GpuProductCall::isPossible() const {
  for (int64_t extent : {left.rows, left.columns, right.columns})
    if (extent <= 0 || extent >= mostExtent)
      return false;
  return countTiles(128) < mostExtent;
}

int64_t GpuProductCall::countTiles(int64_t columns) const {
  return (left.rows + tileRows - 1) / tileRows *
         ((right.columns + columns - 1) / columns);
}

int64_t GpuProductCall::chooseColumns(int64_t processors) const {
  // Nanoseconds of one step of a tile, as measured.
  constexpr struct {
    int64_t columns, step;
  } tiles[] = {{256, 740}, {192, 545}, {128, 410}};
  int64_t best = 0, least = 0;
  for (auto [columns, step] : tiles) {
    int64_t rounds = (countTiles(columns) + processors - 1) / processors;
    if (best == 0 || rounds * step < least) {
      best = columns;
      least = rounds * step;
    }
  }
  return best;
}

bool GpuProductCall::isLarge() const {
  constexpr double least = 1e10;
  return double(left.rows) * double(left.columns) * double(right.columns) >=
         least;
}

std::string GpuProductCall::getKernel(const GpuProduct &product,
                                      int64_t columns) const {
  return std::string("tegulaProduct") + (product.isBf16 ? "Bf16" : "Fp16") +
         (isAcross() ? "Across" : "Along") + std::to_string(columns);
}
