// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/rows/RowTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula;

static bool isSingle(Value size) { return matchPattern(size, m_One()); }

// Extents.

bool RowTiles::isDim(Value number, bool isColumn) const {
  auto known = dims.find(number);
  if (known == dims.end())
    return false;
  return isColumn ? known->second.isColumn &&
                        known->second.index == columnCut.variable
                  : known->second.isRow;
}

bool RowTiles::isDimOf(const AxisLoop &cut, Value number) const {
  return cut &&
         (cut.op == columnCut.op ? isDim(number, /*isColumn=*/true)
                                 : cut.op == rowCut.op && isDim(number, false));
}

bool RowTiles::isOfCut(const AxisLoop &cut, Value number) const {
  if (cut.isStep(number) || cut.isRest(number) || isDimOf(cut, number))
    return true;
  auto least = number.getDefiningOp<arith::MinSIOp>();
  return least && isOfCut(cut, least.getLhs()) && isOfCut(cut, least.getRhs());
}

bool RowTiles::isLeft(const AxisLoop &cut, Value number) const {
  if (cut.isRest(number))
    return true;
  if (isDimOf(cut, number))
    return !dims.lookup(number).isWide;
  auto least = number.getDefiningOp<arith::MinSIOp>();
  return least && isOfCut(cut, number) &&
         (isLeft(cut, least.getLhs()) || isLeft(cut, least.getRhs()));
}

std::optional<RowShape> RowTiles::findShape(ValueRange sizes) const {
  RowShape shape;
  if (sizes.empty() || sizes.size() > 2)
    return std::nullopt;
  shape.hasColumns = !isSingle(sizes.back());
  shape.hasRows = sizes.size() == 2 && !isSingle(sizes.front());
  if (!fits(sizes, shape, /*isLying=*/false))
    return std::nullopt;
  return shape;
}

bool RowTiles::fits(ValueRange sizes, RowShape shape, bool isLying) const {
  if (sizes.empty() || sizes.size() > 2 || (isLying && shape.hasColumns))
    return false;
  // An axis that is not there has one element.
  auto isFirst = [&](auto test, bool has) {
    return sizes.size() == 1 ? !has : has ? test() : isSingle(sizes.front());
  };
  auto isLast = [&](auto test, bool has) {
    return has ? test() : isSingle(sizes.back());
  };
  auto rowsAt = [&](Value size) {
    return !isVectors.value_or(false) && isRows(size);
  };
  if (isLying)
    return isFirst([] { return false; }, false) &&
           isLast([&] { return rowsAt(sizes.back()); }, shape.hasRows);
  return isFirst([&] { return rowsAt(sizes.front()); }, shape.hasRows) &&
         isLast([&] { return isColumns(sizes.back()); }, shape.hasColumns);
}

// Tiles.

void RowTiles::addConstant(pl::FullOp full) {
  Value made = full.getResult();
  constants[made] = full;
  addSized(made, findShape(full.getSizes()).value_or(RowShape()),
           full.getSizes());
}

void RowTiles::addSized(Value made, RowShape shape, ValueRange sizes) {
  addShaped(made, shape);
  if (shape.hasColumns && columnCut && !isLeft(columnCut, sizes.back()))
    wide.insert(made);
}

void RowTiles::addSame(Value made, Value source) {
  shapes[made] = RowShape(shapes.lookup(source));
  parts[made] = Value(parts.lookup(source));
  if (lying.contains(source))
    lying.insert(made);
  if (wide.contains(source))
    wide.insert(made);
  if (pl::FullOp full = constants.lookup(source))
    constants[made] = full;
}

bool RowTiles::addElements(Operation *op) {
  Value known, made = op->getResult(0);
  bool isWide = bool(columnCut);
  for (Value operand : op->getOperands()) {
    if (!isa<pl::TileType>(operand.getType()))
      continue;
    if (!shapes.contains(operand))
      return false;
    if (constants.contains(operand))
      continue;
    if (!isOfThisLoop(operand))
      return false;
    isWide &= wide.contains(operand);
    if (known && (!(shapes.lookup(known) == shapes.lookup(operand)) ||
                  isLying(known) != isLying(operand)))
      return false;
    known = operand;
  }
  for (Value operand : op->getOperands()) {
    pl::FullOp full = constants.lookup(operand);
    // Those of one number only are used as the first of them is.
    if (full && !known)
      known = operand;
    if (full && (known == operand ? !findShape(full.getSizes())
                                  : !fits(full.getSizes(), shapes.lookup(known),
                                          isLying(known))))
      return false;
  }
  addSame(made, known);
  // That it was of one number, and made elsewhere, is forgotten.
  constants.erase(made);
  parts[made] = columnCut.variable;
  wide.erase(made);
  if (isWide)
    wide.insert(made);
  return true;
}

bool RowTiles::addTransposed(Operation *op) {
  Value source = op->getOperand(0), made = op->getResult(0);
  unsigned rank = rankOf(made);
  if (!shapes.contains(source) || rank > 2)
    return false;
  RowShape shape = shapes.lookup(source);
  if (shape.hasColumns || (rank == 2 && !isOne(made, 0) && !isOne(made, 1)))
    return false;
  // Only axes of one element come and go, so rows are where others are.
  bool hasOne = isOne(made, 0) && isOne(made, rank - 1);
  bool isLast = hasOne ? isLying(source) : !isOne(made, rank - 1);
  shapes[made] = shape;
  if (isLast && shape.hasRows)
    lying.insert(made);
  return true;
}

bool RowTiles::addDim(pl::DimOp op) {
  Value source = op.getSource();
  if (!shapes.contains(source))
    return false;
  Dim dim = {false, false, true, columnCut.variable};
  if (pl::FullOp full = constants.lookup(source)) {
    Value size = full.getSizes()[op.getAxis()];
    dim.isRow = isRows(size);
    dim.isColumn = isColumns(size);
  } else {
    RowShape shape = shapes.lookup(source);
    bool isLast = op.getAxis() + 1 == rankOf(source);
    dim.isColumn = isLast && !isLying(source) && shape.hasColumns;
    dim.isRow = isLast == isLying(source) && shape.hasRows;
    dim.isWide = wide.contains(source);
    dim.index = parts.lookup(source);
  }
  dims[op.getResult()] = dim;
  return dim.isRow || dim.isColumn;
}

bool RowTiles::addCarriedExtents(scf::ForOp loop) {
  auto describe = [&](Value number) {
    return Dim{isRows(number), isColumns(number), true, columnCut.variable};
  };
  // What a number begins as, and what becomes of it if it is that.
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    dims[loop.getRegionIterArg(i)] = describe(loop.getInitArgs()[i]);
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    Dim next = describe(loop.getYieldedValues()[i]);
    Dim &dim = dims[loop.getRegionIterArg(i)];
    dim.isRow &= next.isRow;
    dim.isColumn &= next.isColumn;
  }
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    Dim dim = dims.lookup(loop.getRegionIterArg(i));
    Dim next = describe(loop.getYieldedValues()[i]);
    if ((!dim.isRow && !dim.isColumn) || (dim.isRow && !next.isRow) ||
        (dim.isColumn && !next.isColumn))
      return false;
    dims[loop.getResult(i)] = dim;
  }
  return true;
}

bool RowTiles::hasShape(Value tile, RowShape shape) const {
  auto known = shapes.find(tile);
  if (known == shapes.end() || isLying(tile))
    return false;
  pl::FullOp full = constants.lookup(tile);
  return full ? fits(full.getSizes(), shape, false)
              : known->second == shape && isOfThisLoop(tile);
}
