// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions along one axis.

#include "tegula/backends/cpu/TileExpression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// What combining starts from; also the result where nothing is valid.
static TypedAttr identityOf(pl::Reduction kind, Type element, Type type,
                            bool isUnsigned) {
  if (auto floating = dyn_cast<FloatType>(element)) {
    bool isMax = kind == pl::Reduction::Max;
    if (isMax || kind == pl::Reduction::Min)
      return FloatAttr::get(type,
                            pl::getExtreme(floating, isMax).convertToDouble());
    return FloatAttr::get(type, kind == pl::Reduction::Sum ? 0.0 : 1.0);
  }
  unsigned width = element.getIntOrFloatBitWidth();
  auto ends = [&](const llvm::APInt &least, const llvm::APInt &most) {
    llvm::APInt end = kind == pl::Reduction::Max ? least : most;
    unsigned wide = type.getIntOrFloatBitWidth();
    return IntegerAttr::get(type, isUnsigned ? end.zext(wide) : end.sext(wide));
  };
  switch (kind) {
  case pl::Reduction::Sum:
    return IntegerAttr::get(type, 0);
  case pl::Reduction::Prod:
    return IntegerAttr::get(type, 1);
  case pl::Reduction::Max:
  case pl::Reduction::Min:
    return isUnsigned ? ends(llvm::APInt::getMinValue(width),
                             llvm::APInt::getMaxValue(width))
                      : ends(llvm::APInt::getSignedMinValue(width),
                             llvm::APInt::getSignedMaxValue(width));
  }
  llvm_unreachable("every reduction is covered");
}

static Value combine(OpBuilder &body, Location loc, pl::Reduction kind,
                     Value before, Value element, bool isUnsigned) {
  bool isFloat = isa<FloatType>(before.getType());
  switch (kind) {
  case pl::Reduction::Sum:
    if (isFloat)
      return arith::AddFOp::create(body, loc, before, element);
    return arith::AddIOp::create(body, loc, before, element);
  case pl::Reduction::Prod:
    if (isFloat)
      return arith::MulFOp::create(body, loc, before, element);
    return arith::MulIOp::create(body, loc, before, element);
  case pl::Reduction::Max:
    if (isFloat)
      return arith::MaximumFOp::create(body, loc, before, element);
    if (isUnsigned)
      return arith::MaxUIOp::create(body, loc, before, element);
    return arith::MaxSIOp::create(body, loc, before, element);
  case pl::Reduction::Min:
    if (isFloat)
      return arith::MinimumFOp::create(body, loc, before, element);
    if (isUnsigned)
      return arith::MinUIOp::create(body, loc, before, element);
    return arith::MinSIOp::create(body, loc, before, element);
  }
  llvm_unreachable("every reduction is covered");
}

/// The memory of a result that is combined in a wider type stays that wide; it
/// is rounded or cut where it is read.
void TileLowering::lowerReduce(pl::ReduceOp op) {
  Location loc = op.getLoc();
  Value source = op.getSource();
  Type element = op.getResult().getType().getElementType();
  Type wide = combinedType(element);
  bool isUnsigned = pl::isUnsigned(element);

  View memory =
      destinationOf(op.getResult(), loc).shrink(tile(op.getResult()).extents);
  Value identity = arith::ConstantOp::create(
      builder, loc, identityOf(op.getReduction(), element, wide, isUnsigned));
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
        return combine(body, loc, op.getReduction(), before, next, isUnsigned);
      });
  tiles[op.getResult()].view = memory;
}
