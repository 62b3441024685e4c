// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls, of vectors and of batches too.
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/ir/ops/semantics/Matmul.h"

using namespace tegula;
using namespace mlir;
using pl::getDims;
using pl::getElementOrSelf;

/// The accumulator type of a matmul of `element`.
static Type sumType(Type element) {
  Builder builder(element.getContext());
  if (pl::isNarrowFloat(element))
    return builder.getF32Type();
  return element.getIntOrFloatBitWidth() <= 8 ? builder.getI32Type() : element;
}

static unsigned rankOf(Value tile) { return getDims(tile.getType()).size(); }

namespace {

/// One matmul while it is being checked: operands of rank 2 or more, and the
/// axes of them that count.
struct Operands {
  Value lhs, rhs;
  bool transposeLhs, transposeRhs;

  unsigned rows() const { return rankOf(lhs) - (transposeLhs ? 1 : 2); }
  unsigned lhsInner() const { return rankOf(lhs) - (transposeLhs ? 2 : 1); }
  unsigned rhsInner() const { return rankOf(rhs) - (transposeRhs ? 1 : 2); }
  unsigned columns() const { return rankOf(rhs) - (transposeRhs ? 2 : 1); }
  unsigned resultRank() const { return std::max(rankOf(lhs), rankOf(rhs)); }
};

} // namespace

/// A tile with an axis of extent 1 before `axis`.
static Value addUnit(Emitter &emitter, Location loc, Value tile,
                     unsigned axis) {
  pl::Dims dims(getDims(tile.getType()));
  SmallVector<Value> sizes = emitter.extents.allOf(loc, tile);
  dims.insert(dims.begin() + axis, pl::Dim::exactly(1));
  sizes.insert(sizes.begin() + axis, emitter.scalars.index(1));
  auto type = pl::TileType::get(emitter.getContext(), dims,
                                getElementOrSelf(tile.getType()));
  return pl::ReshapeOp::create(emitter.builder, loc, type, tile, sizes);
}

/// A tile without `axis`, which is of extent 1.
static Value dropUnit(Emitter &emitter, Location loc, Value tile,
                      unsigned axis) {
  pl::Dims dims(getDims(tile.getType()));
  SmallVector<Value> sizes = emitter.extents.allOf(loc, tile);
  dims.erase(dims.begin() + axis);
  sizes.erase(sizes.begin() + axis);
  auto type = pl::TileType::get(emitter.getContext(), dims,
                                getElementOrSelf(tile.getType()));
  return pl::ReshapeOp::create(emitter.builder, loc, type, tile, sizes);
}

/// Rank and dtype of the operands, and the extents they share: equal, or with
/// a static bound.
bool MatmulEmitter::checkOperands(Location loc, Value lhs, unsigned lhsAxis,
                                  Value rhs, unsigned rhsAxis) {
  Type left = getElementOrSelf(lhs.getType());
  Type right = getElementOrSelf(rhs.getType());
  if (left != right) {
    emitter.fail(loc, "a matmul takes operands of one dtype, got " +
                          describe(lhs.getType()) + " and " +
                          describe(rhs.getType()) + "; write pl.cast");
    return false;
  }
  if (!pl::isNumeric(left)) {
    emitter.fail(loc, "a matmul takes numbers, got " + describe(lhs.getType()) +
                          "; write pl.cast");
    return false;
  }
  pl::Dim columns = getDims(lhs.getType())[lhsAxis];
  pl::Dim rows = getDims(rhs.getType())[rhsAxis];
  bool mayDiffer = (columns.isAny() && !rows.isBounded()) ||
                   (rows.isAny() && !columns.isBounded());
  if ((!mayDiffer && columns.meet(rows)) ||
      emitter.extents.isSameExtent(loc, lhs, lhsAxis, rhs, rhsAxis) ||
      (mayDiffer &&
       requireEqual(emitter, loc, emitter.extents.settled(loc, lhs, lhsAxis),
                    emitter.extents.settled(loc, rhs, rhsAxis))))
    return true;
  std::vector<Note> notes;
  std::string first = emitter.extents.describeExtent(loc, lhs, lhsAxis, notes);
  std::string second = emitter.extents.describeExtent(loc, rhs, rhsAxis, notes);
  emitter.fail(loc,
               "the inner extents of a matmul must be equal, got " + first +
                   " and " + second,
               notes);
  return false;
}

/// Batches are broadcast as in NumPy.
static bool checkBatches(Emitter &emitter, Location loc,
                         const Operands &operands) {
  unsigned lhsRank = rankOf(operands.lhs), rhsRank = rankOf(operands.rhs);
  for (unsigned fromEnd = 3; fromEnd <= std::min(lhsRank, rhsRank); ++fromEnd) {
    unsigned left = lhsRank - fromEnd, right = rhsRank - fromEnd;
    if (getDims(operands.lhs.getType())[left].isExactly(1) ||
        getDims(operands.rhs.getType())[right].isExactly(1))
      continue;
    if (!emitter.shapes.check(loc, operands.lhs, left, operands.rhs, right))
      return false;
  }
  return true;
}

/// A precision is for operands of one kind.
static bool checkPrecision(Emitter &emitter, Location loc,
                           const Operands &operands,
                           std::optional<pl::Precision> precision) {
  Type element = getElementOrSelf(operands.lhs.getType());
  if (!precision || pl::isFor(*precision, element))
    return true;
  emitter.fail(loc, "precision '" + pl::stringifyPrecision(*precision) +
                        "' is for operands of " +
                        pl::getOperandTypeName(*precision) + ", got " +
                        describe(operands.lhs.getType()) +
                        "; leave it out, or write pl.cast");
  return false;
}

bool MatmulEmitter::checkAccumulator(Location loc, Value acc, Value lhs,
                                     unsigned rows, Value rhs,
                                     unsigned columns) {
  Type element = getElementOrSelf(lhs.getType());
  Type found = getElementOrSelf(acc.getType());
  unsigned rank = std::max(rankOf(lhs), rankOf(rhs));
  if (rankOf(acc) != rank || found != sumType(element)) {
    emitter.fail(loc, "a matmul of " + dtypeName(element) +
                          " accumulates in a tile of rank " +
                          llvm::Twine(rank) + " of " +
                          dtypeName(sumType(element)) + ", got " +
                          describe(acc.getType()));
    return false;
  }
  for (unsigned axis = 0; axis + 2 < rank; ++axis)
    for (Value operand : {lhs, rhs}) {
      unsigned fromEnd = rank - axis;
      if (fromEnd > rankOf(operand))
        continue;
      unsigned own = rankOf(operand) - fromEnd;
      if (!getDims(operand.getType())[own].isExactly(1) &&
          !emitter.shapes.check(loc, acc, axis, operand, own))
        return false;
    }
  return emitter.shapes.check(loc, acc, rank - 2, lhs, rows) &&
         emitter.shapes.check(loc, acc, rank - 1, rhs, columns);
}

Object MatmulEmitter::build(Location loc, const Object &lhs, const Object &rhs,
                            Value acc, const MatmulFlags &flags) {
  if (lhs.isPoison() || rhs.isPoison())
    return Object::poison();
  for (const Object *operand : {&lhs, &rhs})
    if (!operand->asTensor() && !operand->asTile())
      return emitter.fail(loc, "a matmul takes tensors or tiles, got " +
                                   describe(*operand));
  Operands operands{emitter.memory.toTile(loc, lhs),
                    emitter.memory.toTile(loc, rhs), flags.transposeLhs,
                    flags.transposeRhs};
  if (rankOf(operands.lhs) == 0 || rankOf(operands.rhs) == 0)
    return emitter.fail(loc, "a matmul takes operands of rank 1 or more, got "
                             "rank 0");
  // A vector is one row on the left and one column on the right; that axis is
  // not in the result.
  bool isRow = rankOf(operands.lhs) == 1, isColumn = rankOf(operands.rhs) == 1;
  if (isRow) {
    operands.lhs = addUnit(emitter, loc, operands.lhs, 0);
    operands.transposeLhs = false;
  }
  if (isColumn) {
    operands.rhs = addUnit(emitter, loc, operands.rhs, 1);
    operands.transposeRhs = false;
  }
  unsigned rank = operands.resultRank();
  if (acc && rankOf(acc) + isRow + isColumn == rank) {
    acc = isRow ? addUnit(emitter, loc, acc, rank - 2) : acc;
    acc = isColumn ? addUnit(emitter, loc, acc, rank - 1) : acc;
  }
  if (!checkOperands(loc, operands.lhs, operands.lhsInner(), operands.rhs,
                     operands.rhsInner()) ||
      !checkPrecision(emitter, loc, operands, flags.precision) ||
      !checkBatches(emitter, loc, operands) ||
      (acc && !checkAccumulator(loc, acc, operands.lhs, operands.rows(),
                                operands.rhs, operands.columns())))
    return Object::poison();
  SmallVector<Value> values = {operands.lhs, operands.rhs};
  if (acc)
    values.push_back(acc);
  pl::MatmulOp::Properties properties;
  if (operands.transposeLhs)
    properties.transpose_lhs = builder.getUnitAttr();
  if (operands.transposeRhs)
    properties.transpose_rhs = builder.getUnitAttr();
  if (flags.precision)
    properties.precision =
        pl::PrecisionAttr::get(builder.getContext(), *flags.precision);
  Value result =
      emitter.create<pl::MatmulOp>(loc, "matmul", values, properties);
  if (!result)
    return Object::poison();
  if (isColumn)
    result = dropUnit(emitter, loc, result, rank - 1);
  if (isRow)
    result = dropUnit(emitter, loc, result, rank - 2);
  return Object(result);
}
