// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.reduce on data. Floats are summed in double and rounded once; integers
// wrap.

#include "tegula/ir/Frame.h"
#include "tegula/ir/PlOps.h"
#include "tegula/ir/TileWalk.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

static double combine(Reduction reduction, double total, double value) {
  switch (reduction) {
  case Reduction::Sum:
    return total + value;
  case Reduction::Prod:
    return total * value;
  case Reduction::Max:
    return std::isnan(value) || value > total ? value : total;
  case Reduction::Min:
    return std::isnan(value) || value < total ? value : total;
  }
  llvm_unreachable("every reduction is covered");
}

static int64_t combine(Reduction reduction, int64_t total, int64_t value,
                       bool isUnsignedValue) {
  auto left = static_cast<uint64_t>(total),
       right = static_cast<uint64_t>(value);
  bool isLess = isUnsignedValue ? right < left : value < total;
  switch (reduction) {
  case Reduction::Sum:
    return static_cast<int64_t>(left + right);
  case Reduction::Prod:
    return static_cast<int64_t>(left * right);
  case Reduction::Max:
    return isLess ? total : value;
  case Reduction::Min:
    return isLess ? value : total;
  }
  llvm_unreachable("every reduction is covered");
}

/// The result of a reduction of nothing.
static Slot neutral(Reduction reduction, DType dtype) {
  Slot slot;
  bool isMax = reduction == Reduction::Max;
  bool isExtreme = isMax || reduction == Reduction::Min;
  int64_t unit = reduction == Reduction::Prod ? 1 : 0;
  if (isFloat(dtype)) {
    double largest = getLargest(dtype);
    slot.real =
        isExtreme ? (isMax ? -largest : largest) : static_cast<double>(unit);
    return slot;
  }
  IntegerRange range = getIntegerRange(dtype);
  slot.integer =
      isExtreme ? (isMax ? range.low : static_cast<int64_t>(range.high)) : unit;
  return slot;
}

LogicalResult ReduceOp::interpret(Frame &frame) {
  const Tile &source = frame.getTile(getSource());
  DType dtype = source.dtype;
  Reduction reduction = getReduction();
  SmallVector<int64_t, 4> extents(source.extents);
  extents[getAxis()] = 1;
  FailureOr<Tile> tile = frame.makeTile(*this, dtype, extents);
  if (failed(tile))
    return failure();
  llvm::fill(tile->elements, neutral(reduction, dtype));
  Strided<Slot> totals{tile->elements.data(), rowMajorStrides(extents)};
  totals.strides[getAxis()] = 0;
  const Slot *next = source.elements.data();
  bool isReal = isFloat(dtype), isUnsignedTile = isUnsigned(dtype);
  forEachRow(source.extents, [&](ArrayRef<int64_t> index, int64_t length) {
    auto [total, stride] = totals.row(index);
    for (int64_t column = 0; column < length; ++column, ++next) {
      Slot &slot = total[column * stride];
      if (isReal)
        slot.real = combine(reduction, slot.real, next->real);
      else
        slot.integer =
            combine(reduction, slot.integer, next->integer, isUnsignedTile);
    }
  });
  for (Slot &slot : tile->elements)
    slot = (isReal ? Number::ofReal(dtype, slot.real)
                   : Number::ofInteger(dtype, slot.integer))
               .getSlot();
  return frame.set(getResult(), std::move(*tile));
}
