// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.matmul on data. Floats are summed in double and rounded once; integers
// wrap.

#include "tegula/ir/ForEachRow.h"
#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/semantics/Matmul.h"

#include <limits>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

namespace {

/// One matmul: the operands as strided matrices, a row-major result
/// that starts as what is added to it.
struct Matmul {
  const Slot *lhs, *rhs;
  int64_t lhsRow, lhsColumn, rhsRow, rhsColumn;
  int64_t rows, columns, depth;
  Slot *result;

  void addReals() const {
    // Rows of rhs in the inner loop: the compiler can make vectors of it.
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < depth; ++k) {
        double left = lhs[i * lhsRow + k * lhsColumn].real;
        for (int64_t j = 0; j < columns; ++j)
          result[i * columns + j].real +=
              left * rhs[k * rhsRow + j * rhsColumn].real;
      }
  }

  void addIntegers() const {
    auto bits = [](Slot slot) { return static_cast<uint64_t>(slot.integer); };
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < depth; ++k) {
        uint64_t left = bits(lhs[i * lhsRow + k * lhsColumn]);
        for (int64_t j = 0; j < columns; ++j) {
          Slot &out = result[i * columns + j];
          out.integer = static_cast<int64_t>(
              bits(out) + left * bits(rhs[k * rhsRow + j * rhsColumn]));
        }
      }
  }
};

/// Elements from one batch, row and column of an operand to the next, the
/// batches counted along the axes of the result.
struct OperandStrides {
  SmallVector<int64_t, 4> batches;
  int64_t row, column;

  OperandStrides(MatmulOp op, Value operand, const Tile &tile,
                 bool isTransposed) {
    SmallVector<int64_t, 4> strides = rowMajorStrides(tile.extents);
    for (unsigned axis = 0; axis < getBatchRank(op); ++axis) {
      std::optional<unsigned> from = getBatchAxis(op, operand, axis);
      batches.push_back(from ? strides[*from] : 0);
    }
    size_t rank = strides.size();
    row = strides[rank - (isTransposed ? 1 : 2)];
    column = strides[rank - (isTransposed ? 2 : 1)];
  }

  int64_t startOf(ArrayRef<int64_t> batch) const {
    int64_t start = 0;
    for (auto [index, stride] : llvm::zip_equal(batch, batches))
      start += index * stride;
    return start;
  }
};

} // namespace

/// The accumulator, or zeros, as far as the matmul is valid.
static FailureOr<Tile> initialAcc(MatmulOp op, Frame &frame) {
  SmallVector<int64_t, 4> extents;
  for (unsigned axis = 0; axis < op.getType().getRank(); ++axis) {
    int64_t least = std::numeric_limits<int64_t>::max();
    ExtentRule rule = op.getExtentRule(axis);
    for (const ExtentRule &part : rule.getParts())
      least = std::min(
          least, part.getKind() == ExtentRule::Kind::Constant
                     ? part.getNumber()
                     : frame.getTile(part.getValue()).extents[part.getAxis()]);
    extents.push_back(least);
  }
  DType dtype = *getDType(op.getType().getElementType());
  FailureOr<Tile> tile = frame.makeTile(op, dtype, extents);
  if (failed(tile))
    return failure();
  Slot zero = isFloat(dtype) ? Scalar::ofReal(dtype, 0).getSlot()
                             : Scalar::ofInteger(dtype, 0).getSlot();
  llvm::fill(tile->elements, zero);
  if (op.getAcc()) {
    const Tile &acc = frame.getTile(op.getAcc());
    copySlots(extents, {acc.elements.data(), rowMajorStrides(acc.extents)},
              {tile->elements.data(), rowMajorStrides(extents)});
  }
  return tile;
}

LogicalResult MatmulOp::interpret(Frame &frame) {
  FailureOr<Tile> tile = initialAcc(*this, frame);
  if (failed(tile))
    return failure();
  const Tile &lhs = frame.getTile(getLhs()), &rhs = frame.getTile(getRhs());
  OperandStrides left(*this, getLhs(), lhs, getTransposeLhs());
  OperandStrides right(*this, getRhs(), rhs, getTransposeRhs());
  ArrayRef<int64_t> extents = tile->extents;
  int64_t rows = extents[getBatchRank(*this)], columns = extents.back();
  int64_t depth =
      std::min(lhs.extents[lhs.extents.size() - (getTransposeLhs() ? 2 : 1)],
               rhs.extents[rhs.extents.size() - (getTransposeRhs() ? 1 : 2)]);
  bool isReal = isFloat(tile->dtype);
  Slot *next = tile->elements.data();
  auto multiply = [&](ArrayRef<int64_t> batch) {
    Matmul matmul{lhs.elements.data() + left.startOf(batch),
                  rhs.elements.data() + right.startOf(batch),
                  left.row,
                  left.column,
                  right.row,
                  right.column,
                  rows,
                  columns,
                  depth,
                  next};
    if (isReal)
      matmul.addReals();
    else
      matmul.addIntegers();
    next += rows * columns;
  };
  // A row of length 1 behind the batches, so that each is visited once.
  SmallVector<int64_t, 4> batches(extents.drop_back(2));
  batches.push_back(1);
  forEachRow(batches, [&](ArrayRef<int64_t> index, int64_t) {
    multiply(index.drop_back());
  });
  for (Slot &slot : tile->elements)
    slot = (isReal ? Scalar::ofReal(tile->dtype, slot.real)
                   : Scalar::ofInteger(tile->dtype, slot.integer))
               .getSlot();
  return frame.set(getResult(), std::move(*tile));
}
