// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/ops/LowerElements.h"

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/ops/ZeroAccumulator.h"
#include "tegula/ir/ops/PlOps.h"

using namespace mlir;
using namespace tegula;

/// The memory of the source seen as the result, if the op only moves axes and
/// the source has memory.
static std::optional<View> aliasOf(TileLowering &lowering, Operation &op) {
  if (!isa<pl::RelaxOp, pl::TransposeOp>(op) ||
      lowering.plan.placement.getBuffer(op.getResult(0)))
    return std::nullopt;
  const Tile &from = lowering.tile(op.getOperand(0));
  if (!from.view)
    return std::nullopt;
  const Indices &extents = lowering.tile(op.getResult(0)).extents;
  auto transpose = dyn_cast<pl::TransposeOp>(op);
  if (!transpose)
    return from.view->shrink(extents);
  SmallVector<unsigned> order(transpose.getPermutation());
  return from.view->axes(order).shrink(extents);
}

void tegula::materialize(TileLowering &lowering, Operation &op) {
  Value result = op.getResult(0);
  if (std::optional<View> alias = aliasOf(lowering, op)) {
    lowering.values.setMemory(result, alias);
    return;
  }
  if (!lowering.plan.placement.hasMemory(result))
    return;
  View memory = lowering.scratch.destinationOf(result, op.getLoc());
  {
    UnitScope unit(lowering.steps, op.getLoc());
    if (lowering.steps && startsZeroAccumulators(result))
      lowering.steps->hide();
    evaluateInto(lowering, result, memory, lowering.tile(result).extents,
                 op.getLoc());
  }
  lowering.values.setMemory(result,
                            memory.shrink(lowering.tile(result).extents));
}

void tegula::lowerElementwise(TileLowering &lowering, Operation &op) {
  if (isa<pl::TileType>(op.getResult(0).getType()))
    return materialize(lowering, op);
  SmallVector<Value> operands = llvm::map_to_vector(
      op.getOperands(), [&](Value value) { return lowering.scalar(value); });
  lowering.values.setScalar(op.getResult(0),
                            cast<pl::ElementwiseOpInterface>(op).buildScalar(
                                lowering.builder, operands));
}

template <typename Op>
static void lowerToElements(TileLowering &lowering, Op op) {
  materialize(lowering, *op);
}

void tegula::addElementPatterns(TilePatterns &patterns) {
  patterns.addTile(lowerToElements<pl::FullOp>);
  patterns.addTile(lowerToElements<pl::ArangeOp>);
  patterns.addTile(lowerToElements<pl::BroadcastOp>);
  patterns.addTile(lowerToElements<pl::RelaxOp>);
  patterns.addTile(lowerToElements<pl::TransposeOp>);
}
