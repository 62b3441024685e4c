// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.reduce and pl.matmul on data. Floats are summed in double and rounded
// once; integers wrap.

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

namespace {

/// One matrix product: the operands as strided matrices, a row-major result
/// that starts as what is added to it.
struct Product {
  const Slot *lhs, *rhs;
  int64_t lhsRow, lhsColumn, rhsRow, rhsColumn;
  int64_t rows, columns, depth;
  Slot *result;

  void addReals() const {
    // Rows of rhs in the inner loop: the compiler can make vectors of it.
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < depth; ++k) {
        double left = lhs[i * lhsRow + k * lhsColumn].real;
        const Slot *right = rhs + k * rhsRow;
        Slot *out = result + i * columns;
        for (int64_t j = 0; j < columns; ++j)
          out[j].real += left * right[j * rhsColumn].real;
      }
  }

  void addIntegers() const {
    auto bits = [](Slot slot) { return static_cast<uint64_t>(slot.integer); };
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < depth; ++k) {
        uint64_t left = bits(lhs[i * lhsRow + k * lhsColumn]);
        const Slot *right = rhs + k * rhsRow;
        Slot *out = result + i * columns;
        for (int64_t j = 0; j < columns; ++j)
          out[j].integer = static_cast<int64_t>(
              bits(out[j]) + left * bits(right[j * rhsColumn]));
      }
  }
};

} // namespace

LogicalResult MatmulOp::interpret(Frame &frame) {
  const Tile &lhs = frame.getTile(getLhs()), &rhs = frame.getTile(getRhs());
  bool turnsLhs = getTransposeLhs(), turnsRhs = getTransposeRhs();
  SmallVector<int64_t, 4> extents = {lhs.extents[turnsLhs ? 1 : 0],
                                     rhs.extents[turnsRhs ? 0 : 1]};
  const Tile *acc = getAcc() ? &frame.getTile(getAcc()) : nullptr;
  if (acc)
    for (auto [extent, other] : llvm::zip_equal(extents, acc->extents))
      extent = std::min(extent, other);
  DType dtype = *getDType(getResult().getType().getElementType());
  FailureOr<Tile> tile = frame.makeTile(*this, dtype, extents);
  if (failed(tile))
    return failure();
  bool isReal = isFloat(dtype);
  llvm::fill(tile->elements, neutral(Reduction::Sum, dtype));
  if (acc)
    copySlots(extents, {acc->elements.data(), rowMajorStrides(acc->extents)},
              {tile->elements.data(), rowMajorStrides(extents)});
  Product product{
      lhs.elements.data(),
      rhs.elements.data(),
      turnsLhs ? 1 : lhs.extents[1],
      turnsLhs ? lhs.extents[1] : 1,
      turnsRhs ? 1 : rhs.extents[1],
      turnsRhs ? rhs.extents[1] : 1,
      extents[0],
      extents[1],
      std::min(lhs.extents[turnsLhs ? 0 : 1], rhs.extents[turnsRhs ? 1 : 0]),
      tile->elements.data()};
  if (isReal)
    product.addReals();
  else
    product.addIntegers();
  for (Slot &slot : tile->elements)
    slot = (isReal ? Number::ofReal(dtype, slot.real)
                   : Number::ofInteger(dtype, slot.integer))
               .getSlot();
  return frame.set(getResult(), std::move(*tile));
}
