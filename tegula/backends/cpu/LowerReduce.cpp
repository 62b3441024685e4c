// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions along one axis.

#include "tegula/backends/cpu/TileExpression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// What combining starts from; also the result where nothing is valid.
static TypedAttr identityOf(pl::Reduction kind, Type type, bool isUnsigned) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    bool isMax = kind == pl::Reduction::Max;
    if (isMax || kind == pl::Reduction::Min)
      return FloatAttr::get(type, llvm::APFloat::getInf(semantics, isMax));
    return FloatAttr::get(type, kind == pl::Reduction::Sum ? 0.0 : 1.0);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  switch (kind) {
  case pl::Reduction::Sum:
    return IntegerAttr::get(type, 0);
  case pl::Reduction::Prod:
    return IntegerAttr::get(type, 1);
  case pl::Reduction::Max:
    return IntegerAttr::get(type, isUnsigned
                                      ? llvm::APInt::getMinValue(width)
                                      : llvm::APInt::getSignedMinValue(width));
  case pl::Reduction::Min:
    return IntegerAttr::get(type, isUnsigned
                                      ? llvm::APInt::getMaxValue(width)
                                      : llvm::APInt::getSignedMaxValue(width));
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

/// FP16 and BF16 are combined in FP32: the result's memory stays that wide and
/// is rounded where it is read.
void TileLowering::lowerReduce(pl::ReduceOp op) {
  Location loc = op.getLoc();
  Value source = op.getSource();
  Type element = op.getResult().getType().getElementType();
  bool isNarrow = isa<Float16Type, BFloat16Type>(element);
  Type wide = isNarrow ? Type(builder.getF32Type()) : signlessType(element);
  bool isUnsigned = pl::isUnsigned(element);

  View memory = isNarrow
                    ? allocate(loc, wide, boundsOf(op.getResult().getType()))
                    : destinationOf(op.getResult(), loc);
  memory = memory.shrink(tile(op.getResult()).extents);
  Value identity = arith::ConstantOp::create(
      builder, loc, identityOf(op.getReduction(), wide, isUnsigned));
  fill(memory, identity, loc);

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
        if (isNarrow)
          next = arith::ExtFOp::create(body, loc, wide, next);
        return combine(body, loc, op.getReduction(), before, next, isUnsigned);
      });
  tiles[op.getResult()].view = memory;
}
