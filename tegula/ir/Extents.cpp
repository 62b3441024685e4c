// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ExtentFacts.h"
#include "tegula/ir/NonNegative.h"
#include "tegula/ir/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula::pl;

/// Nested minima and maxima are followed no deeper than this.
static constexpr unsigned maxDepth = 16;

/// A constant that the index value never exceeds.
static std::optional<int64_t> upperBound(Value value, unsigned depth = 0) {
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (depth < maxDepth) {
    if (auto min = value.getDefiningOp<arith::MinSIOp>()) {
      std::optional<int64_t> lhs = upperBound(min.getLhs(), depth + 1);
      std::optional<int64_t> rhs = upperBound(min.getRhs(), depth + 1);
      return lhs && rhs ? std::min(*lhs, *rhs) : lhs ? lhs : rhs;
    }
    if (auto max = value.getDefiningOp<arith::MaxSIOp>()) {
      std::optional<int64_t> lhs = upperBound(max.getLhs(), depth + 1);
      std::optional<int64_t> rhs = upperBound(max.getRhs(), depth + 1);
      if (!lhs || !rhs)
        return std::nullopt;
      return std::max(*lhs, *rhs);
    }
  }
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, value, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  return succeeded(bound) ? std::optional(*bound) : std::nullopt;
}

static bool isNonNegative(Value value, unsigned depth) {
  if (depth < maxDepth) {
    if (auto min = value.getDefiningOp<arith::MinSIOp>())
      return isNonNegative(min.getLhs(), depth + 1) &&
             isNonNegative(min.getRhs(), depth + 1);
    if (auto max = value.getDefiningOp<arith::MaxSIOp>())
      return isNonNegative(max.getLhs(), depth + 1) ||
             isNonNegative(max.getRhs(), depth + 1);
  }
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::LB, value);
  return succeeded(bound) && *bound >= 0;
}

bool tegula::pl::isNonNegative(Value index) {
  return ::isNonNegative(index, /*depth=*/0);
}

/// max(0, value), folded where it can be.
static Value clampAtZero(OpBuilder &builder, Location loc, Value value) {
  if (isNonNegative(value))
    return value;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  return builder.createOrFold<arith::MaxSIOp>(loc, value, zero);
}

Dim tegula::pl::dimOfExtent(Value extent) {
  llvm::APInt constant;
  if (matchPattern(extent, m_ConstantInt(&constant)))
    return Dim::exactly(std::max<int64_t>(0, constant.getSExtValue()));
  if (std::optional<int64_t> bound = upperBound(extent))
    return Dim::atMost(std::max<int64_t>(0, *bound));
  return Dim::any();
}

Dim tegula::pl::dimOfWindow(Dim source, Value offset, Value size) {
  Dim window = dimOfExtent(size);
  llvm::APInt start;
  if (source.isExact() && matchPattern(offset, m_ConstantInt(&start))) {
    int64_t left =
        std::max<int64_t>(0, source.getBound() - start.getSExtValue());
    if (window.isExact())
      return Dim::exactly(std::min(left, window.getBound()));
    return window.hasBound() ? Dim::atMost(std::min(left, window.getBound()))
                             : Dim::atMost(left);
  }
  if (!window.hasBound())
    return source.hasBound() ? Dim::atMost(source.getBound()) : Dim::any();
  return Dim::atMost(source.hasBound()
                         ? std::min(source.getBound(), window.getBound())
                         : window.getBound());
}

static Value constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value tegula::pl::buildWindowExtent(OpBuilder &builder, Location loc,
                                    Value extent, Value offset, Value size) {
  llvm::APInt number;
  bool startsAtZero =
      matchPattern(offset, m_ConstantInt(&number)) && number.isZero();
  if (startsAtZero && size == extent)
    return extent;
  Value left = startsAtZero
                   ? extent
                   : builder.createOrFold<arith::SubIOp>(loc, extent, offset);
  Value clamped = builder.createOrFold<arith::MinSIOp>(loc, size, left);
  return clampAtZero(builder, loc, clamped);
}

Value tegula::pl::buildExtent(OpBuilder &builder, Location loc, Value shaped,
                              unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return constantIndex(builder, loc, dim.getBound());
  if (isa<BlockArgument>(shaped))
    for (Operation *user : shaped.getUsers())
      if (auto bind = dyn_cast<BindOp>(user))
        for (auto [tensor, boundAxis] :
             llvm::zip(bind.getTensors(), bind.getAxes()))
          if (tensor == shaped && boundAxis == axis)
            return bind.getExtent();
  return DimOp::create(builder, loc, shaped, axis);
}

Value tegula::pl::detail::leastExtent(OpBuilder &builder, Operation *op,
                                      unsigned axis) {
  Dim dim = getDims(op->getResult(0).getType())[axis];
  if (dim.isExact())
    return constantIndex(builder, op->getLoc(), dim.getBound());
  SmallVector<ExtentRoot, 2> roots = nearRootsOfExtent(op->getResult(0), axis);
  if (roots.front().shaped == op->getResult(0)) {
    // Too many to follow: the least of the operands'.
    roots.clear();
    for (Value operand : op->getOperands())
      roots.push_back({{}, operand, axis});
  }
  return buildLeast(builder, op->getLoc(), roots);
}

Value CreateTensorOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return clampAtZero(builder, getLoc(), getSizes()[axis]);
}

Value FullOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return clampAtZero(builder, getLoc(), getSizes()[axis]);
}

Value ArangeOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return clampAtZero(builder, getLoc(), getSizes()[axis]);
}

unsigned SliceOp::getSourceAxis(unsigned resultAxis) {
  unsigned axis = 0;
  for (unsigned kept = 0;; ++axis) {
    if (llvm::is_contained(getDrop(), static_cast<int64_t>(axis)))
      continue;
    if (kept++ == resultAxis)
      return axis;
  }
}

Value SliceOp::reifySourceExtent(OpBuilder &builder, unsigned axis) {
  Value extent = buildExtent(builder, getLoc(), getSource(), axis);
  return buildWindowExtent(builder, getLoc(), extent, getOffsets()[axis],
                           getSizes()[axis]);
}

Value SliceOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return reifySourceExtent(builder, getSourceAxis(axis));
}

Value LoadOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return buildExtent(builder, getLoc(), getSource(), axis);
}

Value BroadcastOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  if (std::optional<unsigned> source = getSourceAxis(axis))
    return buildExtent(builder, getLoc(), getSource(), *source);
  Value size = clampAtZero(builder, getLoc(), getSizes()[axis]);
  std::optional<unsigned> optional = getOptionalAxis(axis);
  if (!optional)
    return size;
  Value count = buildExtent(builder, getLoc(), getSource(), *optional);
  return builder.createOrFold<arith::MulIOp>(getLoc(), size, count);
}

Value ReduceOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  if (axis == getAxis())
    return constantIndex(builder, getLoc(), 1);
  return buildExtent(builder, getLoc(), getSource(), axis);
}

Value ReshapeOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  Dim dim = getResult().getType().getDims()[axis];
  if (dim.isExact())
    return constantIndex(builder, getLoc(), dim.getBound());
  // Only unit axes were added or removed: count the others.
  auto isUnit = [](Dim dim) { return dim.isExactly(1); };
  unsigned position =
      llvm::count_if(getResult().getType().getDims().take_front(axis),
                     [&](Dim dim) { return !isUnit(dim); });
  ArrayRef<Dim> source = getSource().getType().getDims();
  unsigned sourceAxis = 0;
  for (unsigned seen = 0; isUnit(source[sourceAxis]) || seen++ < position;)
    ++sourceAxis;
  return buildExtent(builder, getLoc(), getSource(), sourceAxis);
}

Value TransposeOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return buildExtent(builder, getLoc(), getSource(), getPermutation()[axis]);
}

Value ConcatOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  Value lhs = buildExtent(builder, getLoc(), getLhs(), axis);
  Value rhs = buildExtent(builder, getLoc(), getRhs(), axis);
  if (axis == getAxis())
    return builder.createOrFold<arith::AddIOp>(getLoc(), lhs, rhs);
  return builder.createOrFold<arith::MinSIOp>(getLoc(), lhs, rhs);
}

Value WindowOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  Value extent = buildExtent(builder, getLoc(), getSource(), axis);
  return buildWindowExtent(builder, getLoc(), extent, getOffsets()[axis],
                           getSizes()[axis]);
}

Value InsertOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return buildExtent(builder, getLoc(), getTarget(), axis);
}

Value FillPadOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return constantIndex(builder, getLoc(),
                       getResult().getType().getDims()[axis].getBound());
}

Value RelaxOp::reifyExtent(OpBuilder &builder, unsigned axis) {
  return buildExtent(builder, getLoc(), getSource(), axis);
}
