// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extents as index values and as dims, and how they follow from rules.
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/extents/IndexRange.h"
#include "tegula/ir/ops/PlShapeOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tegula::pl;

static std::optional<int64_t> constantOf(Value value) {
  llvm::APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

static Value constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value tegula::pl::buildExtentOfSize(OpBuilder &builder, Location loc,
                                    Value size) {
  if (isNonNegative(size))
    return size;
  return builder.createOrFold<arith::MaxSIOp>(loc, size,
                                              constantIndex(builder, loc, 0));
}

Dim tegula::pl::dimOfExtent(Value extent) {
  if (std::optional<int64_t> constant = constantOf(extent))
    return Dim::exactly(std::max<int64_t>(0, *constant));
  if (std::optional<int64_t> bound = greatestOf(extent))
    return Dim::atMost(std::max<int64_t>(0, *bound));
  return Dim::any();
}

Dim tegula::pl::dimOfWindow(Dim source, Value offset, Value size) {
  Dim window = dimOfExtent(size);
  std::optional<int64_t> start = constantOf(offset);
  if (source.isExact() && start) {
    int64_t left =
        std::max<int64_t>(0, source.getBound() - std::max<int64_t>(0, *start));
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

Value tegula::pl::buildWindowExtent(OpBuilder &builder, Location loc,
                                    Value extent, Value offset, Value size) {
  bool startsAtZero = constantOf(offset) == 0;
  if (startsAtZero && size == extent)
    return extent;
  Value left = extent;
  if (!startsAtZero)
    left = builder.createOrFold<arith::SubIOp>(
        loc, extent, buildExtentOfSize(builder, loc, offset));
  return buildExtentOfSize(
      builder, loc, builder.createOrFold<arith::MinSIOp>(loc, size, left));
}

Value tegula::pl::buildExtent(OpBuilder &builder, Location loc, Value shaped,
                              unsigned axis) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return constantIndex(builder, loc, dim.getBound());
  if (auto known = shaped.getDefiningOp<WithExtentsOp>())
    return known.getExtents()[axis];
  if (isa<BlockArgument>(shaped))
    for (Operation *user : shaped.getUsers())
      if (auto bind = dyn_cast<BindOp>(user))
        for (auto [tensor, boundAxis] :
             llvm::zip(bind.getTensors(), bind.getAxes()))
          if (tensor == shaped && boundAxis == axis)
            return bind.getExtent();
  return DimOp::create(builder, loc, shaped, axis);
}

Value tegula::pl::detail::reifyExtent(OpBuilder &builder, Operation *op,
                                      unsigned axis) {
  Value result = op->getResult(0);
  Dim dim = getDims(result.getType())[axis];
  if (dim.isExact())
    return constantIndex(builder, op->getLoc(), dim.getBound());
  ExtentRule rule = cast<ExtentsOpInterface>(op).getExtentRule(axis);
  if (rule.getKind() == ExtentRule::Kind::Meet) {
    // The operands of one op are mostly as long as those of the next.
    SmallVector<ExtentRoot, 2> roots = nearRootsOfExtent(result, axis);
    if (roots.front().shaped != result)
      return buildLeast(builder, op->getLoc(), roots);
  }
  return rule.build(builder, op->getLoc());
}

/// True if the op checks at run time that its extents are what its type says:
/// an exact window is there, a reshape holds what its source does.
static bool isChecked(Operation *op, Dim dim) {
  return isa<ReshapeElementsOp, ViewOp>(op) ||
         (dim.isExact() && isa<SliceOp, WindowOp>(op));
}

LogicalResult tegula::pl::detail::verifyExtents(Operation *op) {
  Type type = op->getResult(0).getType();
  // What is inferred is compared with the type already.
  bool isInferred = isa<InferTypeOpInterface>(op) && !isa<WithExtentsOp>(op);
  if (!isa<TileType, TensorViewType>(type) || isInferred)
    return success();
  auto rules = cast<ExtentsOpInterface>(op);
  for (auto [axis, dim] : llvm::enumerate(getDims(type))) {
    if (dim.isAny() || isChecked(op, dim))
      continue;
    Dim known = rules.getExtentRule(axis).getDim();
    if (!known.isWithin(dim))
      return op->emitOpError("says that axis ")
             << axis << " is " << (dim.isExact() ? "exactly " : "at most ")
             << dim.getBound() << ", which does not follow from its operands";
  }
  return success();
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
