// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls: operands in place where they can be, widened or packed
// where they must.

#include "tegula/backends/codegen/TileExpression.h"
#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/backends/codegen/TilePatterns.h"
#include "tegula/backends/codegen/ops/ZeroAccumulator.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

static View matmulOperand(TileLowering &lowering, OpOperand &operand,
                          bool transposed, Location loc) {
  Value value = operand.get();
  const Tile known = lowering.tile(value);
  View memory;
  if (std::optional<BufferId> buffer =
          lowering.plan.placement.getBuffer(operand)) {
    memory = lowering.scratch.bufferView(
        *buffer, boundsOf(cast<pl::TileType>(value.getType())), loc);
    evaluateInto(lowering, value, memory, known.extents, loc);
    memory = memory.shrink(known.extents);
  } else {
    memory = *known.view;
  }
  return transposed ? memory.axes({1, 0}) : memory;
}

static View widened(TileLowering &lowering, Value value, const View &operand,
                    bool transposed, Type element, Location loc) {
  if (operand.element == element)
    return operand;
  View wide =
      lowering.scratch
          .allocate(loc, element, boundsOf(cast<pl::TileType>(value.getType())))
          .shrink(lowering.tile(value).extents);
  evaluateInto(lowering, value, wide, lowering.tile(value).extents, loc);
  return transposed ? wide.axes({1, 0}) : wide;
}

static Value whetherItAdds(TileLowering &lowering, pl::MatmulOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  if (scf::ForOp loop = findZeroAccumulatorLoop(op.getAcc()))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                 lowering.scalar(loop.getInductionVar()),
                                 lowering.scalar(loop.getLowerBound()));
  return arith::ConstantIntOp::create(builder, loc, bool(op.getAcc()), 1);
}

static void lowerMatmul(TileLowering &lowering, pl::MatmulOp op) {
  OpBuilder &builder = lowering.builder;
  Location loc = op.getLoc();
  Value result = op.getResult();
  Type element = signlessType(op.getResult().getType().getElementType());
  const Indices extents = lowering.tile(result).extents;
  ScratchScope scope(lowering.scratch);
  View lhs =
      matmulOperand(lowering, op.getLhsMutable(), op.getTransposeLhs(), loc);
  View rhs =
      matmulOperand(lowering, op.getRhsMutable(), op.getTransposeRhs(), loc);
  View sum = lowering.scratch.destinationOf(result, loc).shrink(extents);
  if (op.getAcc() && !lowering.isComputedIn(
                         lowering.plan.placement.getOwner(op.getAcc()), result))
    evaluateInto(lowering, op.getAcc(), sum, extents, loc);
  lowering.values.setMemory(result, sum);
  if (!lowering.steps &&
      lowering.target.multiplyTiles(lowering, op, {lhs, rhs, sum}))
    return;
  OpFoldResult inner = lowering.math(loc).min(lhs.sizes[1], rhs.sizes[0]);
  Value accumulates = lowering.steps ? whetherItAdds(lowering, op) : Value();

  UnitScope unit(lowering.steps, loc);
  lowering.steps.read(lhs);
  lowering.steps.read(rhs);
  lowering.steps.write(sum);
  if (lowering.steps)
    lowering.steps->multiply({extents[0], extents[1], inner, accumulates});
  lhs = widened(lowering, op.getLhs(), lhs, op.getTransposeLhs(), element, loc);
  rhs = widened(lowering, op.getRhs(), rhs, op.getTransposeRhs(), element, loc);
  if (!op.getAcc()) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    fill(lowering, sum, zero, /*isSigned=*/false, loc);
  }
  lowering.target.accumulateTiles(lowering, op, {lhs, rhs, sum}, inner);
}

void tegula::addMatmulPatterns(TilePatterns &patterns) {
  patterns.addTile(lowerMatmul);
}
