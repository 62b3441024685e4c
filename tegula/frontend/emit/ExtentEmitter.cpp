// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of extents: where they come from and whether they are equal.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/ir/extents/ExtentProver.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/extents/IndexRange.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "llvm/ADT/SetVector.h"

using namespace tegula;
using namespace mlir;
using pl::Dim;
using pl::getDims;

Value ExtentEmitter::of(Location loc, Value shaped, unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  // A bounded extent may be a long expression; nobody compares it.
  if (dim.isBounded() && !shaped.getDefiningOp<pl::WithExtentsOp>())
    return emitter.scalars.shared(
        pl::DimOp::create(builder, loc, shaped, axis));
  return settled(loc, shaped, axis);
}

SmallVector<Value> ExtentEmitter::allOf(Location loc, Value shaped) {
  SmallVector<Value> values;
  for (unsigned axis = 0; axis < getDims(shaped.getType()).size(); ++axis)
    values.push_back(of(loc, shaped, axis));
  return values;
}

Object ExtentEmitter::objectOf(Location loc, Value shaped, unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return Object::integer(dim.getBound());
  return Object(settled(loc, shaped, axis));
}

/// Resolves the dims in what a shape function built, which is `made`, folds it,
/// and shares it with equal values before it.
Value ExtentEmitter::settle(Value value,
                            const llvm::SmallPtrSetImpl<Operation *> &made) {
  Operation *op = value.getDefiningOp();
  if (auto dim = dyn_cast_or_null<pl::DimOp>(op))
    return settled(op->getLoc(), dim.getSource(), dim.getAxis());
  if (!op || !made.contains(op) || op->getNumRegions() != 0)
    return value;
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return emitter.scalars.index(number.getSExtValue());
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(settle(operand, made));
  return rebuild(op, operands);
}

/// max(x, 0) -> x, if x is an extent or a size that cannot be negative
static Value dropMaxWithZero(Operation *op) {
  llvm::APInt number;
  if (!isa<arith::MaxSIOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&number)) ||
      !number.isZero())
    return {};
  return pl::isNonNegative(op->getOperand(0)) ? op->getOperand(0) : Value();
}

/// min(x, y) -> the smaller one, if they differ by a constant
static Value dropLargerOfMin(Operation *op) {
  if (!isa<arith::MinSIOp>(op))
    return {};
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  std::optional<int64_t> difference = pl::constantDifference(lhs, rhs);
  if (!difference)
    return {};
  return *difference <= 0 ? lhs : rhs;
}

/// The op on other operands, folded or shared if possible.
Value ExtentEmitter::rebuild(Operation *op, ArrayRef<Value> operands) {
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  SmallVector<Value, 1> folded;
  if (Value simpler = dropMaxWithZero(copy))
    folded.push_back(simpler);
  else if (Value smaller = dropLargerOfMin(copy))
    folded.push_back(smaller);
  else if (failed(builder.tryFold(copy, folded)) || folded.empty())
    return emitter.scalars.shared(copy);
  copy->erase();
  return folded.front();
}

/// The expression that the declaration of an axis says it is, if the call has
/// to check that: `y: [M // 2]`.
static Value declaredExtent(Value symbol) {
  for (Operation *user : symbol.getUsers()) {
    auto compare = dyn_cast<arith::CmpIOp>(user);
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
      continue;
    Value other =
        compare.getLhs() == symbol ? compare.getRhs() : compare.getLhs();
    for (Operation *asking : compare->getUsers())
      if (auto require = dyn_cast<pl::RequireOp>(asking);
          require && require.getOrigin() == pl::declaredOrigin &&
          require->getBlock() == compare->getBlock() &&
          require.getArgument() >= 0 && !require.getSizes().empty())
        return other;
  }
  return {};
}

/// What a parameter of the entry is declared to be along an axis; null if
/// nothing is bound there.
static Value boundExtent(Value shaped, unsigned axis) {
  for (Operation *user : shaped.getUsers())
    if (auto bind = dyn_cast<pl::BindOp>(user))
      for (auto [tensor, bound] : llvm::zip(bind.getTensors(), bind.getAxes()))
        if (tensor == shaped && bound == axis) {
          Value declared = declaredExtent(bind.getExtent());
          return declared ? declared : bind.getExtent();
        }
  return {};
}

Value ExtentEmitter::settled(Location loc, Value shaped, unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return emitter.scalars.index(dim.getBound());
  if (auto stated = shaped.getDefiningOp<pl::WithExtentsOp>())
    return stated.getExtents()[axis];
  if (isa<BlockArgument>(shaped))
    if (Value bound = boundExtent(shaped, axis))
      return bound;
  Value known = settledExtents.lookup({shaped, axis});
  if (known && isVisible(known))
    return known;
  auto producer = shaped.getDefiningOp<pl::ExtentsOpInterface>();
  if (!producer)
    return emitter.scalars.shared(
        pl::DimOp::create(builder, loc, shaped, axis));
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  Value raw = producer.reifyExtent(builder, axis);
  Operation *lastRaw = block->empty() ? nullptr : &block->back();
  llvm::SmallPtrSet<Operation *, 8> made;
  for (Operation *op = lastRaw; op && op != last; op = op->getPrevNode())
    made.insert(op);
  Value value = settle(raw, made);
  // What the shape function built has been rebuilt; drop it, uses first.
  while (lastRaw && lastRaw != last) {
    Operation *previous = lastRaw->getPrevNode();
    if (lastRaw->use_empty() && lastRaw != value.getDefiningOp())
      lastRaw->erase();
    lastRaw = previous;
  }
  settledExtents[{shaped, axis}] = value;
  return value;
}

bool ExtentEmitter::isSameExtent(Location loc, Value lhs, unsigned lhsAxis,
                                 Value rhs, unsigned rhsAxis) {
  Dim left = getDims(lhs.getType())[lhsAxis];
  Dim right = getDims(rhs.getType())[rhsAxis];
  if (left.isExact() && right.isExact())
    return left == right;
  Value leftExtent = settled(loc, lhs, lhsAxis);
  Value rightExtent = settled(loc, rhs, rhsAxis);
  return isEqual(leftExtent, rightExtent);
}

bool ExtentEmitter::isEqual(Value lhs, Value rhs) {
  if (lhs == rhs)
    return true;
  pl::ExtentProver prover(builder.getInsertionBlock());
  return prover.isEqual(prover.getTerms().of(lhs), prover.getTerms().of(rhs));
}

std::string ExtentEmitter::describeExtent(Location loc, Value shaped,
                                          unsigned axis,
                                          std::vector<Note> &notes) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return std::to_string(dim.getBound());
  Value value = settled(loc, shaped, axis);
  if (auto bind = value.getDefiningOp<pl::BindOp>()) {
    notes.push_back(
        {bind.getLoc(), bind.getSymbol().str() + " is declared here"});
    return bind.getSymbol().str();
  }
  if (std::string text = pl::formatIndex(value); !text.empty())
    return text;
  if (auto known = value.getDefiningOp<pl::DimOp>())
    notes.push_back({known.getLoc(), "one extent comes from here"});
  return dim.hasBound() ? "at most " + std::to_string(dim.getBound())
                        : "a run-time value";
}

bool ExtentEmitter::isImportable(Value value) {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  // Grows while it is traversed.
  for (unsigned next = 0; next < needed.size(); ++next) {
    Operation *op = needed[next].getDefiningOp();
    if (auto dim = dyn_cast_or_null<pl::DimOp>(op)) {
      if (!isa<BlockArgument>(dim.getSource()))
        return false;
      needed.insert(dim.getSource());
    } else if (op) {
      if (!isa<arith::ArithDialect>(op->getDialect()))
        return false;
      needed.insert(op->operand_begin(), op->operand_end());
    } else if (!asParameter(needed[next])) {
      return false;
    }
  }
  return true;
}

Value ExtentEmitter::importExtent(Location loc, Value value,
                                  ArrayRef<Value> arguments,
                                  DenseMap<Value, Value> &imported) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return arguments[argument.getArgNumber()];
  Operation *op = value.getDefiningOp();
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return emitter.scalars.index(number.getSExtValue());
  if (auto dim = dyn_cast<pl::DimOp>(op)) {
    auto argument = llvm::cast<BlockArgument>(dim.getSource());
    return settled(loc, arguments[argument.getArgNumber()], dim.getAxis());
  }
  if (Value known = imported.lookup(value))
    return known;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(importExtent(loc, operand, arguments, imported));
  return imported[value] = rebuild(op, operands);
}

/// Ops are appended to blocks, so whatever stands in this block or one around
/// it comes before the insertion point.
bool ExtentEmitter::isVisible(Value value) {
  Block *block = builder.getInsertionBlock();
  while (block && block != value.getParentBlock())
    block = block->getParentOp() ? block->getParentOp()->getBlock() : nullptr;
  return block != nullptr;
}
