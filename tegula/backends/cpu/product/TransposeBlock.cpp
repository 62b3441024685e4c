// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/product/TransposeBlock.h"

using namespace mlir;
using namespace tegula;

/// Lanes change places with rows at distances of 1, 2, 4 and so on.
void tegula::transposeBlock(VectorCode &code, SmallVectorImpl<Value> &rows) {
  int64_t lanes = rows.size();
  for (int64_t distance = 1; distance < lanes; distance *= 2)
    for (int64_t row = 0; row < lanes; ++row) {
      if (row & distance)
        continue;
      Value first = rows[row], second = rows[row + distance];
      SmallVector<int64_t> low, high;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        bool isMoved = lane & distance;
        low.push_back(isMoved ? lanes + lane - distance : lane);
        high.push_back(isMoved ? lanes + lane : lane + distance);
      }
      rows[row] =
          vector::ShuffleOp::create(code.builder, code.loc, first, second, low);
      rows[row + distance] = vector::ShuffleOp::create(code.builder, code.loc,
                                                       first, second, high);
    }
}
