// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/layout/MatmulRegisters.h"

using namespace mlir;
using namespace tegula;

SmallVector<int64_t> MatmulRegisters::listOffsets(const ElementMap &map,
                                                  unsigned axis, int64_t size) {
  SmallVector<int64_t> found;
  for (int64_t i = 0; i < map.getNumRegisters(); ++i) {
    int64_t offset = map.getOffset(i)[axis];
    if (!map.isUnused(i) && offset % size == 0 &&
        !llvm::is_contained(found, offset))
      found.push_back(offset);
  }
  return found;
}

int64_t MatmulRegisters::find(const ElementMap &map, int64_t row,
                              int64_t column) {
  auto wrap = [&](int64_t coordinate, unsigned axis) {
    int64_t reach = 0;
    for (const auto *bits : {&map.registers, &map.lanes, &map.warps})
      for (const Coordinate &step : *bits)
        reach |= step[axis];
    return coordinate & reach;
  };
  return *map.findRegister({wrap(row, 0), wrap(column, 1)});
}

Value MatmulRegisters::take(int64_t row, int64_t column) const {
  Value found = tile.registers[find(tile.map, row, column)];
  return found ? found
               : arith::ConstantOp::create(builder, loc,
                                           builder.getZeroAttr(element));
}

Value MatmulRegisters::takePair(int64_t row, int64_t column,
                                bool isAlongRow) const {
  Value low = take(row, column);
  return packPair(
      builder, loc, low,
      take(isAlongRow ? row : row + 1, isAlongRow ? column + 1 : column));
}

SmallVector<Value> MatmulRegisters::takeLhs(int64_t row, int64_t inner) const {
  SmallVector<Value> words;
  for (int64_t half : {0, 8})
    for (int64_t below : {0, 8})
      words.push_back(takePair(row + below, inner + half, true));
  return words;
}
