// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions along one axis.

#include "tegula/backends/cpu/TileExpression.h"
#include "tegula/ir/NumberConstant.h"
#include "tegula/ir/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// The memory of a result that is combined in a wider type stays that wide; it
/// is rounded or cut where it is read.
void TileLowering::lowerReduce(pl::ReduceOp op) {
  Location loc = op.getLoc();
  Value source = op.getSource();
  Type element = op.getResult().getType().getElementType();
  Type wide = combinedType(element);

  View memory =
      destinationOf(op.getResult(), loc).shrink(tile(op.getResult()).extents);
  UnitScope unit(*this, loc);
  pl::Number start = pl::getIdentity(op.getReduction(), *pl::getDType(element));
  Value identity =
      arith::ConstantOp::create(builder, loc, pl::toAttribute(start, wide));
  fill(memory, identity, /*isSigned=*/false, loc);

  ScratchScope scope(currentFrame());
  TileExpression expression(*this, loc, tile(source).extents);
  expression.addOperand(source);
  SmallVector<utils::IteratorType> kinds(expression.getNumLoops(),
                                         utils::IteratorType::parallel);
  LoopOfAxis targetLoops = expression.getLoops();
  int reduced = targetLoops[op.getAxis()];
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
  tiles[op.getResult()].view = memory;
}
