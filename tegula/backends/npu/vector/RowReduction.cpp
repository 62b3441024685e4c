// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/npu/vector/RowReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// The largest or smallest, NaN if there is one.
static bool keepsNan(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp>(op);
}

/// The largest or smallest of what is not NaN.
static bool leavesOutNan(Operation *op) {
  return isa<arith::MaxNumFOp, arith::MinNumFOp>(op);
}

static Value isNan(OpBuilder &builder, Location loc, Value value) {
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value,
                               value);
}

/// Bits as wide as the elements: flags of one bit are not carried in vectors.
static Value nanFlag(OpBuilder &builder, Location loc, Value value) {
  Type type = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
  return arith::ExtUIOp::create(builder, loc, type, isNan(builder, loc, value));
}

static Value floatConstant(OpBuilder &builder, Location loc, Type type,
                           const APFloat &value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

/// NaN  ->  the infinity that changes nothing
static Value withoutNan(OpBuilder &builder, Location loc, Operation *op,
                        Value value) {
  Type type = value.getType();
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  bool isMax = isa<arith::MaxNumFOp>(op);
  Value end = floatConstant(builder, loc, type,
                            APFloat::getInf(semantics, /*Negative=*/isMax));
  if (isMax)
    return arith::MaxNumFOp::create(builder, loc, value, end);
  return arith::MinNumFOp::create(builder, loc, value, end);
}

std::optional<RowReduction> RowReduction::find(Value acc, Value yielded) {
  Operation *op = yielded.getDefiningOp();
  if (!op || op->getBlock() != acc.getParentBlock() ||
      op->getNumOperands() != 2 || !acc.hasOneUse() || !yielded.hasOneUse() ||
      isa<arith::MulFOp, arith::MulIOp>(op))
    return std::nullopt;
  if (op->getOperand(0) == acc)
    return RowReduction(op, op->getOperand(1));
  if (op->getOperand(1) == acc && op->hasTrait<OpTrait::IsCommutative>())
    return RowReduction(op, op->getOperand(0));
  return std::nullopt;
}

void RowReduction::addStarts(OpBuilder &builder, Location loc, Value acc,
                             SmallVectorImpl<Value> &starts) const {
  starts.push_back(leavesOutNan(op) ? withoutNan(builder, loc, op, acc) : acc);
  if (keepsNan(op))
    starts.push_back(nanFlag(builder, loc, acc));
}

void RowReduction::addNexts(OpBuilder &builder, Location loc, Value element,
                            ValueRange &carried,
                            SmallVectorImpl<Value> &nexts) const {
  auto noNan = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
  Value acc = carried.front();
  carried = carried.drop_front();
  if (leavesOutNan(op))
    element = withoutNan(builder, loc, op, element);
  // If an element is NaN this number has no meaning, and is not asked for.
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op)) {
    nexts.push_back(
        arith::MaxNumFOp::create(builder, loc, acc, element, noNan));
  } else if (isa<arith::MinimumFOp, arith::MinNumFOp>(op)) {
    nexts.push_back(
        arith::MinNumFOp::create(builder, loc, acc, element, noNan));
  } else {
    IRMapping operands;
    operands.map(op->getOperand(0), acc);
    operands.map(op->getOperand(1), acc);
    operands.map(combined, element);
    Operation *copy = builder.clone(*op, operands);
    if (auto inFloats = dyn_cast<arith::ArithFastMathInterface>(copy))
      copy->setAttr(inFloats.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(
                        copy->getContext(), arith::FastMathFlags::reassoc));
    nexts.push_back(copy->getResult(0));
  }
  if (!keepsNan(op))
    return;
  Value hadNan = carried.front();
  carried = carried.drop_front();
  nexts.push_back(arith::OrIOp::create(builder, loc, hadNan,
                                       nanFlag(builder, loc, element)));
}

Value RowReduction::finish(OpBuilder &builder, Location loc,
                           ValueRange &results) const {
  Value result = results.front();
  results = results.drop_front();
  if (!keepsNan(op))
    return result;
  Value flag = results.front();
  results = results.drop_front();
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(flag.getType()));
  Value hadNan =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, flag, zero);
  const llvm::fltSemantics &semantics =
      cast<FloatType>(result.getType()).getFloatSemantics();
  Value nan = floatConstant(builder, loc, result.getType(),
                            APFloat::getQNaN(semantics));
  return arith::SelectOp::create(builder, loc, hadNan, nan, result);
}
