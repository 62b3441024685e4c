// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/SharedTiles.h"

#include "llvm/Support/MathExtras.h"

using namespace tegula;

static constexpr int64_t chunkBytes = 16, bankBytes = 128;

SharedTile::SharedTile(llvm::ArrayRef<int64_t> shape, int64_t elementBytes)
    : elementBytes(elementBytes), bytes(elementBytes),
      chunk(chunkBytes / elementBytes) {
  for (int64_t bound : shape) {
    sizes.push_back(int64_t(llvm::PowerOf2Ceil(std::max<int64_t>(bound, 1))));
    bytes *= sizes.back();
  }
}

int64_t SharedTile::getOffset(llvm::ArrayRef<int64_t> coordinate) const {
  int64_t row = 0;
  for (size_t axis = 0; axis + 1 < sizes.size(); ++axis)
    row = row * sizes[axis] + coordinate[axis];
  int64_t inRow = coordinate.back() * elementBytes;
  inRow ^= row / getEqualRows() % getSwappedChunks() * chunkBytes;
  return row * getRowBytes() + inRow;
}

int64_t SharedTile::getEqualRows() const {
  // They are in all banks together.
  return std::max<int64_t>(1, bankBytes / getRowBytes());
}

int64_t SharedTile::getSwappedChunks() const {
  return std::max<int64_t>(1, std::min(getRowBytes(), bankBytes) / chunkBytes);
}
