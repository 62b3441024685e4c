// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/matmul/TransposeBlock.h"

using namespace mlir;
using namespace tegula;

/// Of two vectors, those in which lanes at the distance changed places.
static std::pair<Value, Value> exchange(VectorCode &code, Value first,
                                        Value second, int64_t distance) {
  int64_t lanes = cast<VectorType>(first.getType()).getNumElements();
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    bool isMoved = lane & distance;
    low.push_back(isMoved ? lanes + lane - distance : lane);
    high.push_back(isMoved ? lanes + lane : lane + distance);
  }
  return {
      vector::ShuffleOp::create(code.builder, code.loc, first, second, low),
      vector::ShuffleOp::create(code.builder, code.loc, first, second, high)};
}

/// Lanes change places with rows at distances of 1, 2, 4 and so on.
void tegula::transposeBlock(VectorCode &code, SmallVectorImpl<Value> &rows) {
  int64_t lanes = rows.size();
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    for (int64_t row = 0; row < lanes; ++row)
      if (!(row & distance))
        std::tie(rows[row], rows[row + distance]) =
            exchange(code, rows[row], rows[row + distance], distance);
}

/// As above, but rows that changed lanes with each other are added at once.
Value tegula::sumOfEach(VectorCode &code, ArrayRef<Value> vectors) {
  SmallVector<Value> rows(vectors);
  for (int64_t distance = 1; rows.size() > 1; distance *= 2) {
    SmallVector<Value> sums;
    for (size_t row = 0; row < rows.size(); row += 2) {
      auto [low, high] = exchange(code, rows[row], rows[row + 1], distance);
      sums.push_back(code.sum(low, high));
    }
    rows = std::move(sums);
  }
  return rows.front();
}
