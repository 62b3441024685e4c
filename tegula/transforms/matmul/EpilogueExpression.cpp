// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/matmul/EpilogueExpression.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tegula;

/// The axes of what a broadcast repeats.
static TargetAxes throughBroadcast(pl::BroadcastOp broadcast,
                                   const TargetAxes &axes) {
  TargetAxes source(pl::getDims(broadcast.getSource().getType()).size());
  for (auto [axis, along] : llvm::enumerate(axes))
    if (std::optional<unsigned> from = broadcast.getSourceAxis(axis))
      source[*from] = along;
  return source;
}

/// The tile that has the same elements at the same indices, if the op changes
/// nothing else.
static Value getRenamed(Operation *op) {
  return isa_and_present<pl::RelaxOp, pl::WithExtentsOp>(op) ? op->getOperand(0)
                                                             : Value();
}

std::optional<EpilogueExpression>
EpilogueExpression::find(Value tile, AccumulatorTile accumulator,
                         EpilogueLeaves &leaves) {
  while (Value same = getRenamed(tile.getDefiningOp()))
    tile = same;
  EpilogueExpression found(tile, accumulator);
  if (!found.visit(tile, {0, 1}, leaves) || !found.usesAccumulator)
    return std::nullopt;
  return found;
}

bool EpilogueExpression::visit(Value value, const TargetAxes &axes,
                               EpilogueLeaves &leaves) {
  Key key{value.getAsOpaquePointer(), axes};
  if (auto it = seen.find(key); it != seen.end())
    return it->second;
  return seen[key] = visitUncached(value, axes, leaves);
}

bool EpilogueExpression::visitUncached(Value value, const TargetAxes &axes,
                                       EpilogueLeaves &leaves) {
  if (value == accumulator.tile) {
    usesAccumulator = true;
    return axes == TargetAxes{0, 1} &&
           (!accumulator.start || visit(accumulator.start, axes, leaves));
  }
  Operation *op = value.getDefiningOp();
  if (Value same = getRenamed(op))
    return visit(same, axes, leaves);
  if (auto broadcast = dyn_cast_or_null<pl::BroadcastOp>(op))
    return leaves.isLongEnough(value, axes) &&
           visit(broadcast.getSource(), throughBroadcast(broadcast, axes),
                 leaves);
  if (auto full = dyn_cast_or_null<pl::FullOp>(op))
    return leaves.isLongEnough(value, axes) && leaves.isThere(full.getValue());
  if (isa_and_present<pl::ElementwiseOpInterface>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      return isa<pl::TileType>(operand.getType()) &&
             visit(operand, axes, leaves);
    });
  Value operand = leaves.findOperand(value, axes);
  if (!operand)
    return false;
  const auto *known = llvm::find(operands, operand);
  leafOf[{value.getAsOpaquePointer(), axes}] = known - operands.begin();
  if (known == operands.end())
    operands.push_back(operand);
  return true;
}

Value EpilogueExpression::build(OpBuilder &builder, Value value,
                                const TargetAxes &axes,
                                std::map<Key, Value> &made) const {
  Key key{value.getAsOpaquePointer(), axes};
  if (auto it = made.find(key); it != made.end())
    return it->second;
  Value &result = made[key];
  Block *block = builder.getBlock();
  Operation *op = value.getDefiningOp();
  if (value == accumulator.tile) {
    result = block->getArgument(0);
    if (accumulator.start)
      result = pl::AddOp::create(builder, value.getLoc(), result,
                                 build(builder, accumulator.start, axes, made));
  } else if (auto leaf = leafOf.find(key); leaf != leafOf.end()) {
    result = block->getArgument(1 + leaf->second);
  } else if (Value same = getRenamed(op)) {
    result = build(builder, same, axes, made);
  } else if (auto broadcast = dyn_cast<pl::BroadcastOp>(op)) {
    result = build(builder, broadcast.getSource(),
                   throughBroadcast(broadcast, axes), made);
  } else if (auto full = dyn_cast<pl::FullOp>(op)) {
    result = full.getValue();
  } else {
    SmallVector<Value> scalars;
    for (Value operand : op->getOperands())
      scalars.push_back(build(builder, operand, axes, made));
    Operation *clone = builder.clone(*op);
    clone->setOperands(scalars);
    result = clone->getResult(0);
    result.setType(pl::getElementOrSelf(value.getType()));
  }
  return result;
}

void EpilogueExpression::emit(OpBuilder &builder, pl::MatmulOp matmul,
                              Value lhs, Value rhs, Value target) const {
  Location loc = matmul.getLoc();
  auto into = pl::MatmulIntoOp::create(
      builder, loc, lhs, rhs, target, operands, matmul.getTransposeLhs(),
      matmul.getTransposeRhs(), matmul.getPrecisionAttr());
  if (tile == accumulator.tile && !accumulator.start)
    return;
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&into.getEpilogue());
  block->addArgument(pl::getElementOrSelf(matmul.getType()), loc);
  for (Value operand : operands)
    block->addArgument(pl::getElementOrSelf(operand.getType()), loc);
  std::map<Key, Value> made;
  Value element = build(builder, tile, {0, 1}, made);
  pl::EpilogueYieldOp::create(builder, loc, element);
}
