// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/SharedTiles.h"

#include "llvm/Support/MathExtras.h"

using namespace tegula;

static constexpr int64_t chunkBytes = 16, bankBytes = 128, patternRows = 8;

SharedTile::SharedTile(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                       Kind kind)
    : elementBytes(elementBytes), bytes(elementBytes),
      chunk(chunkBytes / elementBytes), kind(kind) {
  int64_t rows = 1;
  for (int64_t bound : shape) {
    sizes.push_back(int64_t(llvm::PowerOf2Ceil(std::max<int64_t>(bound, 1))));
    rows *= sizes.back();
  }
  if (kind == Kind::Boxes) {
    rows /= sizes.back();
    sizes.back() = std::max(sizes.back(), bankBytes / elementBytes);
    sizes.front() *= std::max<int64_t>(1, patternRows / rows);
  }
  for (int64_t size : sizes)
    bytes *= size;
}

int64_t SharedTile::getLineBytes() const {
  return kind == Kind::Boxes ? bankBytes : getRowBytes();
}

int64_t SharedTile::getAlignment() const {
  return kind == Kind::Boxes ? patternRows * bankBytes : bankBytes;
}

int64_t SharedTile::getOffset(llvm::ArrayRef<int64_t> coordinate) const {
  int64_t row = 0;
  for (size_t axis = 0; axis + 1 < sizes.size(); ++axis)
    row = row * sizes[axis] + coordinate[axis];
  int64_t inRow = coordinate.back() * elementBytes, line = getLineBytes();
  int64_t inLine = inRow % line;
  inLine ^= row / getEqualRows() % getSwappedChunks() * chunkBytes;
  return inRow / line * getBoxBytes() + row * line + inLine;
}

int64_t SharedTile::getEqualRows() const {
  // They are in all banks together.
  return std::max<int64_t>(1, bankBytes / getLineBytes());
}

int64_t SharedTile::getSwappedChunks() const {
  return std::max<int64_t>(1, std::min(getLineBytes(), bankBytes) / chunkBytes);
}
