// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops as source, and what the front end adds to their operands.
#include "tegula/frontend/syntax/Operators.h"
#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/ValueNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace mlir;
using pl::Dim;
using pl::getDims;

Value tegula::shownValue(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto least = dyn_cast<arith::MinSIOp>(op);
    bool isTwice = least && least.getLhs() == least.getRhs();
    bool isMove = op->hasAttr(pl::spaceAttrName);
    if (!isTwice && (isMove || !isa<pl::RelaxOp>(op)))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The dims that each of several tiles gets when the front end brings them to
/// one shape.
static SmallVector<pl::Dims> broadcastDims(ArrayRef<Value> tiles) {
  size_t rank = 0;
  for (Value tile : tiles)
    rank = std::max(rank, getDims(tile.getType()).size());
  auto isUnit = [](Dim dim) { return dim.hasBound() && dim.getBound() == 1; };
  SmallVector<Dim> leads(rank, Dim::exactly(1));
  for (size_t fromEnd = 0; fromEnd < rank; ++fromEnd)
    for (Value tile : tiles) {
      ArrayRef<Dim> dims = getDims(tile.getType());
      if (fromEnd >= dims.size())
        continue;
      Dim own = dims[dims.size() - 1 - fromEnd], &lead = leads[fromEnd];
      if (lead.isExactly(1) || (isUnit(lead) && !isUnit(own)))
        lead = own;
    }
  SmallVector<pl::Dims> results;
  for (Value tile : tiles) {
    ArrayRef<Dim> dims = getDims(tile.getType());
    pl::Dims &result = results.emplace_back();
    for (size_t axis = 0; axis < rank; ++axis) {
      size_t fromEnd = rank - 1 - axis;
      bool exists = fromEnd < dims.size();
      Dim own = exists ? dims[dims.size() - 1 - fromEnd] : Dim::exactly(1);
      Dim lead = leads[fromEnd];
      bool isRepeated = isUnit(own) && (own.isExact() || !isUnit(lead));
      bool mayBeNone = own.isBounded() && lead.isExact();
      result.push_back(!isRepeated ? own
                       : mayBeNone ? Dim::atMost(lead.getBound())
                                   : lead);
    }
  }
  return results;
}

/// True if the front end makes the operands of `op` from `shown`.
static bool restores(Operation *op, ArrayRef<Value> shown) {
  SmallVector<Value> tiles;
  for (Value value : shown)
    if (isa<pl::TileType>(value.getType()))
      tiles.push_back(value);
  if (tiles.empty())
    return false;
  SmallVector<pl::Dims> dims = broadcastDims(tiles);
  unsigned next = 0;
  for (auto [operand, value] : llvm::zip(op->getOperands(), shown)) {
    bool isTile = isa<pl::TileType>(value.getType());
    ArrayRef<Dim> made = isTile ? dims[next++] : dims.front();
    if (getDims(shownValue(operand).getType()) != made)
      return false;
  }
  return true;
}

SmallVector<Value> tegula::shownOperands(Operation *op, SourceStyle style) {
  SmallVector<Value> plain, withoutFull, bare;
  for (Value operand : op->getOperands()) {
    Value value = shownValue(operand);
    plain.push_back(value);
    bool isNamed = !isa<BlockArgument>(value) && !nameOfValue(value).empty();
    auto full = isNamed ? nullptr : value.getDefiningOp<pl::FullOp>();
    auto repeat = isNamed ? nullptr : value.getDefiningOp<pl::BroadcastOp>();
    withoutFull.push_back(full ? full.getValue() : value);
    bare.push_back(repeat ? shownValue(repeat.getSource())
                          : withoutFull.back());
  }
  if (style == SourceStyle::Explicit || !isa<pl::TileType>(plain[0].getType()))
    return plain;
  if (restores(op, bare))
    return bare;
  return restores(op, withoutFull) ? withoutFull : plain;
}

static Strength strengthOf(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add:
  case ast::BinaryOp::Sub:
    return Strength::Sum;
  case ast::BinaryOp::ShiftLeft:
  case ast::BinaryOp::ShiftRight:
    return Strength::Shift;
  case ast::BinaryOp::BitAnd:
    return Strength::BitAnd;
  case ast::BinaryOp::BitOr:
    return Strength::BitOr;
  case ast::BinaryOp::BitXor:
    return Strength::BitXor;
  default:
    return Strength::Product;
  }
}

WrittenSource ExpressionWriter::elementwise(Operation *op) {
  SmallVector<Value> operands = shownOperands(op, style);
  // Numbers alone would be computed while compiling.
  bool allNumbers = llvm::all_of(operands, [](Value value) {
    return writeNumber(value, Wanted::Scalar).has_value();
  });
  Wanted wanted = allNumbers ? Wanted::Typed : Wanted::Tile;
  if (auto compare = dyn_cast<pl::CmpOp>(op)) {
    StringRef name = pl::stringifyComparison(compare.getComparison());
    return infix(operands[0], ast::spelling(ast::compareOperatorOf(name)),
                 operands[1], Strength::Comparison, wanted);
  }
  StringRef name = op->getName().stripDialect();
  bool isFloat = pl::isFloat(pl::getElementOrSelf(op->getResult(0).getType()));
  if (auto symbol = ast::binaryOperatorOf(name, isFloat))
    return infix(operands[0], ast::spelling(*symbol), operands[1],
                 strengthOf(*symbol), wanted);
  if (auto symbol = ast::unaryOperatorOf(name))
    return {ast::spelling(*symbol).str() +
                write(operands[0], wanted, Strength::Unary),
            Strength::Unary};
  std::string text = "pl." + name.str() + "(";
  for (auto [position, operand] : llvm::enumerate(operands))
    text += (position ? ", " : "") + write(operand, wanted, Strength::Any);
  return {text + ")"};
}
