// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/IterationCount.h"

#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula::pl;

/// What a sum of a few terms or a product with a small number may begin with.
static constexpr int64_t largest = int64_t(1) << 52;
/// Longer computations are not followed.
static constexpr unsigned maxDepth = 8;

namespace {

/// Which end of the indices a value must not come near.
enum class End { Greatest, Least };

} // namespace

static bool isSmall(Value value, End end, unsigned depth);

static bool isSmallEitherWay(Value value, unsigned depth) {
  return isSmall(value, End::Greatest, depth) &&
         isSmall(value, End::Least, depth);
}

static bool isSmallNumber(int64_t number, End end) {
  return end == End::Greatest ? number <= largest : number >= -largest;
}

/// A loop variable lies within the loop's bounds, a parameter where the entry
/// says.
static bool isSmallArgument(BlockArgument argument, End end, unsigned depth) {
  Operation *parent = argument.getOwner()->getParentOp();
  bool isAbove = end == End::Greatest;
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent);
      loop && argument == loop.getInductionVar())
    return isSmall(isAbove ? loop.getUpperBound() : loop.getLowerBound(), end,
                   depth);
  if (auto loop = dyn_cast_or_null<ParallelOp>(parent))
    return isSmall(isAbove ? loop.getUpper() : loop.getLower(), end, depth);
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(parent))
    if (auto range = function.getArgAttrOfType<DenseI64ArrayAttr>(
            argument.getArgNumber(), rangeAttrName))
      return isSmallNumber(range[isAbove ? 1 : 0], end);
  return false;
}

/// True if the op takes an integer of at most 32 bits.
static bool isNarrowCast(Operation *op) {
  return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp>(op) &&
         op->getOperand(0).getType().isInteger() &&
         op->getOperand(0).getType().getIntOrFloatBitWidth() <= 32;
}

static bool isSmall(Value value, End end, unsigned depth) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return isSmallNumber(number.getSExtValue(), end);
  if (depth == 0)
    return false;
  --depth;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isSmallArgument(argument, end, depth);
  Operation *op = value.getDefiningOp();
  if (isa<BindOp, DimOp, RankOp, RankCountOp>(op) || isNarrowCast(op))
    return true;
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    return isSmall(op->getOperand(0), end, depth);
  if (auto check = dyn_cast<CheckStepOp>(op))
    return isSmall(check.getUpper(), end, depth) &&
           isSmall(check.getLower(), end, depth);
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op)) {
    bool isEither = isa<arith::MinSIOp>(op) == (end == End::Greatest);
    bool isLeft = isSmall(op->getOperand(0), end, depth);
    return isLeft == isEither ? isLeft : isSmall(op->getOperand(1), end, depth);
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isSmall(select.getTrueValue(), end, depth) &&
           isSmall(select.getFalseValue(), end, depth);
  // Products of extents count elements.
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp, arith::RemSIOp>(op))
    return isSmallEitherWay(op->getOperand(0), depth) &&
           isSmallEitherWay(op->getOperand(1), depth);
  return false;
}

bool tegula::pl::mayPassGreatest(Value upper, Value step) {
  // The variable of the last iteration is less than the end.
  return !matchPattern(step, m_One()) &&
         !(isSmall(upper, End::Greatest, maxDepth) &&
           isSmall(step, End::Greatest, maxDepth));
}

bool tegula::pl::mayPassGreatest(Value lower, Value upper, Value step) {
  return !(isSmall(upper, End::Greatest, maxDepth) &&
           isSmall(lower, End::Least, maxDepth) &&
           isSmall(step, End::Greatest, maxDepth));
}

Value tegula::pl::buildIterationCount(OpBuilder &builder, Location loc,
                                      Value lower, Value upper, Value step) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value isSome = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, lower, upper);
  // The way is right as a number without a sign, of up to 64 bits.
  Value way = builder.createOrFold<arith::SubIOp>(loc, upper, lower);
  Value last = builder.createOrFold<arith::DivUIOp>(
      loc, builder.createOrFold<arith::SubIOp>(loc, way, one), step);
  Value count = builder.createOrFold<arith::AddIOp>(loc, last, one);
  return builder.createOrFold<arith::SelectOp>(loc, isSome, count, zero);
}
