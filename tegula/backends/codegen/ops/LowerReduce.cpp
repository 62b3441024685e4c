// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions along one axis.

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/ir/interpreter/ScalarConstant.h"
#include "tegula/ir/ops/semantics/Reduction.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// True if a loop carries `next` on in the place of `before`, and nothing else
/// reads them.
static bool isCarriedOn(Value before, Value next) {
  auto argument = dyn_cast<BlockArgument>(before);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : scf::ForOp();
  return loop && argument != loop.getInductionVar() && next.hasOneUse() &&
         loop.getTiedLoopYieldedValue(argument)->get() == next;
}

/// The op that combines what is reduced with a tile that is in memory already,
/// if it may be combined right there: nobody else reads either.
static Operation *findAccumulation(TileLowering &lowering, pl::ReduceOp op) {
  Value part = op.getResult();
  // Who hears of steps hears of both.
  if (lowering.steps || !part.hasOneUse())
    return nullptr;
  Operation *next = *part.user_begin();
  if (!pl::isCombination(next, op.getReduction()) ||
      next->getBlock() != op->getBlock() || next->getOperand(1) != part)
    return nullptr;
  Value before = next->getOperand(0), after = next->getResult(0);
  const Tile *known = lowering.values.findTile(before);
  if (!before.hasOneUse() || before.getType() != part.getType() || !known ||
      !known->view ||
      known->view->element !=
          combinedType(op.getResult().getType().getElementType()))
    return nullptr;
  bool isThere = lowering.plan.placement.hasMemory(after)
                     ? lowering.isComputedIn(after, before)
                     : isCarriedOn(before, after);
  return isThere ? next : nullptr;
}

/// The memory of a result that is combined in a wider type stays that wide; it
/// is rounded or cut where it is read.
static void lowerReduce(TileLowering &lowering, pl::ReduceOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value source = op.getSource();
  Type element = op.getResult().getType().getElementType();
  Type wide = combinedType(element);

  Operation *accumulation = findAccumulation(lowering, op);
  View memory = accumulation
                    ? *lowering.tile(accumulation->getOperand(0)).view
                    : lowering.scratch.destinationOf(op.getResult(), loc);
  memory = memory.shrink(lowering.tile(op.getResult()).extents);
  UnitScope unit(lowering.steps, loc);
  if (accumulation) {
    lowering.accumulated.insert(accumulation);
  } else {
    pl::Scalar start =
        pl::getIdentity(op.getReduction(), *pl::getDType(element));
    Value identity =
        arith::ConstantOp::create(builder, loc, pl::toAttribute(start, wide));
    fill(lowering, memory, identity, /*isSigned=*/false, loc);
  }

  ScratchScope scope(lowering.scratch);
  TileExpression expression(lowering, loc, lowering.tile(source).extents);
  int reduced = expression.getLoops()[op.getAxis()];
  if (reduced >= 0 && reduced + 1 != static_cast<int>(expression.getNumLoops()))
    expression.readAcross();
  expression.addOperand(source);
  SmallVector<utils::IteratorType> kinds(expression.getNumLoops(),
                                         utils::IteratorType::parallel);
  LoopOfAxis targetLoops = expression.getLoops();
  targetLoops[op.getAxis()] = -1;
  if (reduced >= 0)
    kinds[reduced] = utils::IteratorType::reduction;
  expression.emit(
      memory, targetLoops, kinds, [&](OpBuilder &body, Value before) {
        Value next = expression.elementOf(body, source);
        next = toMemory(body, loc, next, wide, pl::isSigned(element));
        return pl::buildScalarCombination(body, loc, op.getReduction(), before,
                                          next, pl::isUnsigned(element));
      });
  lowering.values.setMemory(op.getResult(), memory);
}

void tegula::addReducePatterns(TilePatterns &patterns) {
  patterns.addTile(lowerReduce);
}
