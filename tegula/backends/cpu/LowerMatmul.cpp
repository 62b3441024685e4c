// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls: operands in place where they can be, widened or packed
// where they must.

#include "tegula/backends/cpu/MatmulKernel.h"
#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/backends/cpu/ZeroAccumulator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

View TileLowering::matmulOperand(OpOperand &operand, bool transposed,
                                 Location loc) {
  Value value = operand.get();
  const Tile known = tile(value);
  View memory;
  if (std::optional<BufferId> buffer = plan.placement.getBuffer(operand)) {
    memory =
        bufferView(*buffer, boundsOf(cast<pl::TileType>(value.getType())), loc);
    evaluateInto(value, memory, known.extents, loc);
    memory = memory.shrink(known.extents);
  } else {
    memory = *known.view;
  }
  return transposed ? memory.axes({1, 0}) : memory;
}

View TileLowering::widened(Value value, const View &operand, bool transposed,
                           Type element, Location loc) {
  if (operand.element == element)
    return operand;
  View wide =
      allocate(loc, element, boundsOf(cast<pl::TileType>(value.getType())))
          .shrink(tile(value).extents);
  evaluateInto(value, wide, tile(value).extents, loc);
  return transposed ? wide.axes({1, 0}) : wide;
}

Value TileLowering::whetherItAdds(pl::MatmulOp op) {
  Location loc = op.getLoc();
  if (scf::ForOp loop = findZeroAccumulatorLoop(op.getAcc()))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                 scalar(loop.getInductionVar()),
                                 scalar(loop.getLowerBound()));
  return arith::ConstantIntOp::create(builder, loc, bool(op.getAcc()), 1);
}

void TileLowering::lowerMatmul(pl::MatmulOp op) {
  Location loc = op.getLoc();
  Value result = op.getResult();
  Type element = signlessType(op.getResult().getType().getElementType());
  const Indices extents = tile(result).extents;
  ScratchScope scope(currentFrame());
  View lhs = matmulOperand(op.getLhsMutable(), op.getTransposeLhs(), loc);
  View rhs = matmulOperand(op.getRhsMutable(), op.getTransposeRhs(), loc);
  SmallVector<int64_t, 4> bounds = boundsOf(op.getRhs().getType());
  if (op.getTransposeRhs())
    std::swap(bounds[0], bounds[1]);
  View sum = destinationOf(result, loc).shrink(extents);
  if (op.getAcc() &&
      !isComputedIn(plan.placement.getOwner(op.getAcc()), result))
    evaluateInto(op.getAcc(), sum, extents, loc);
  tiles[result].view = sum;
  if (multiplyTiles(op, lhs, rhs, sum))
    return;
  OpFoldResult inner = math(loc).min(lhs.sizes[1], rhs.sizes[0]);
  Value accumulates = hooks ? whetherItAdds(op) : Value();

  UnitScope unit(*this, loc);
  noteRead(lhs);
  noteRead(rhs);
  noteWrite(sum);
  if (hooks)
    hooks->multiply({extents[0], extents[1], inner, accumulates});
  lhs = widened(op.getLhs(), lhs, op.getTransposeLhs(), element, loc);
  rhs = widened(op.getRhs(), rhs, op.getTransposeRhs(), element, loc);
  if (!op.getAcc()) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    fill(sum, zero, /*isSigned=*/false, loc);
  }
  if (hooks && hooks->emitMatmul(builder, loc, lhs, rhs, sum))
    return;
  rhs = withUnitInnerStride(rhs, bounds, loc);
  emitMatmul(builder, loc, {lhs, rhs, sum, extents[0], extents[1], inner},
             options);
}
