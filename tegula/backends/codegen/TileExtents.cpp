// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/TileExtents.h"

#include "tegula/backends/codegen/TileLowering.h"
#include "tegula/ir/extents/ExactArithmetic.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/support/KernelAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

/// The run-time extent that a rule gives.
static OpFoldResult lowerRule(TileLowering &lowering,
                              const pl::ExtentRule &rule, Location loc) {
  using Kind = pl::ExtentRule::Kind;
  IndexMath math = lowering.math(loc);
  ArrayRef<pl::ExtentRule> parts = rule.getParts();
  auto part = [&](unsigned position) {
    return lowerRule(lowering, parts[position], loc);
  };
  auto size = [&](Value value) {
    return math.max(IndexMath::fold(lowering.scalar(value)), math.constant(0));
  };
  switch (rule.getKind()) {
  case Kind::Constant:
    return math.constant(rule.getNumber());
  case Kind::Size:
    return size(rule.getValue());
  case Kind::Extent:
    return IndexMath::fold(lowering.scalar(rule.getValue()));
  case Kind::Axis:
    return isa<pl::TileType>(rule.getValue().getType())
               ? lowering.tile(rule.getValue()).extents[rule.getAxis()]
               : lowering.view(rule.getValue()).sizes[rule.getAxis()];
  case Kind::Sum:
    return math.add(part(0), part(1));
  case Kind::Window: {
    OpFoldResult left = math.sub(part(0), size(rule.getOffset()));
    OpFoldResult length = IndexMath::fold(lowering.scalar(rule.getSize()));
    return math.max(math.min(length, left), math.constant(0));
  }
  case Kind::Repeat:
    return math.mul(size(rule.getValue()), part(0));
  case Kind::Least:
  case Kind::Meet: {
    OpFoldResult least = part(0);
    for (unsigned position = 1; position < parts.size(); ++position)
      least = math.min(least, part(position));
    return least;
  }
  }
  llvm_unreachable("every kind is handled");
}

bool tegula::isExactRule(pl::ExactArithmetic &arithmetic,
                         const pl::ExtentRule &rule) {
  using Kind = pl::ExtentRule::Kind;
  Kind kind = rule.getKind();
  bool hasSize =
      kind == Kind::Size || kind == Kind::Window || kind == Kind::Repeat;
  if (hasSize && !arithmetic.isExactThroughout(rule.getValue()))
    return false;
  return llvm::all_of(rule.getParts(), [&](const pl::ExtentRule &part) {
    return isExactRule(arithmetic, part);
  });
}

OpFoldResult tegula::withinBound(TileLowering &lowering, Operation *op,
                                 unsigned axis, OpFoldResult extent) {
  OpBuilder &builder = lowering.builder;
  pl::Dim dim = pl::getDims(op->getResult(0).getType())[axis];
  pl::ExtentRule rule = cast<pl::ExtentsOpInterface>(op).getExtentRule(axis);
  bool isSure =
      !isa<pl::ReshapeElementsOp>(op) && isExactRule(lowering.arithmetic, rule);
  if (!dim.isBounded() || isSure || IndexMath::number(extent))
    return extent;
  Location loc = op->getLoc();
  OpFoldResult bound = builder.getIndexAttr(dim.getBound());
  // That a reshape does not fit is reported as what it is.
  if (!isa<pl::ReshapeElementsOp>(op)) {
    Value isBeyond = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sgt,
        lowering.math(loc).value(extent), lowering.math(loc).value(bound));
    lowering.calls.reportIf(isBeyond, TegulaIndexOutOfRange, axis, extent,
                            bound, loc);
  }
  return lowering.math(loc).min(extent, bound);
}

Indices tegula::extentsOf(TileLowering &lowering, Operation &op) {
  OpBuilder &builder = lowering.builder;
  Indices extents;
  auto type = cast<pl::TileType>(op.getResult(0).getType());
  auto rules = cast<pl::ExtentsOpInterface>(op);
  for (auto [axis, dim] : llvm::enumerate(type.getDims())) {
    if (dim.isExact()) {
      extents.push_back(builder.getIndexAttr(dim.getBound()));
      continue;
    }
    OpFoldResult extent =
        lowerRule(lowering, rules.getExtentRule(axis), op.getLoc());
    extents.push_back(withinBound(lowering, &op, axis, extent));
  }
  return extents;
}

/// A window that is exactly `dim` long must lie inside: that it does, or null
/// if nothing can be wrong. That it does not is an error of the call.
Value tegula::checkExact(TileLowering &lowering, pl::Dim dim,
                         OpFoldResult start, OpFoldResult whole, int64_t axis,
                         Location loc) {
  OpBuilder &builder = lowering.builder;
  if (!dim.isExact() || dim.getBound() == 0)
    return {};
  OpFoldResult last =
      lowering.math(loc).add(start, builder.getIndexAttr(dim.getBound() - 1));
  std::optional<int64_t> number = IndexMath::number(last);
  std::optional<int64_t> bound = IndexMath::number(whole);
  if (number && bound && *number < *bound)
    return {};
  return lowering.calls.checkIndex(last, axis, whole, loc);
}

/// True if the value is at least 0 whatever the sizes are.
static bool isNeverNegative(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return value == loop.getInductionVar() &&
             isNeverNegative(loop.getLowerBound());
    if (auto loop = dyn_cast<pl::ParallelOp>(parent))
      return isNeverNegative(loop.getLower());
    return false;
  }
  Operation *op = value.getDefiningOp();
  if (std::optional<int64_t> number = IndexMath::number(value))
    return *number >= 0;
  if (isa<pl::BindOp, pl::DimOp>(op))
    return true;
  if (isa<arith::MaxSIOp>(op))
    return llvm::any_of(op->getOperands(), isNeverNegative);
  if (isa<arith::MinSIOp, arith::FloorDivSIOp, arith::DivSIOp,
          arith::CeilDivSIOp, arith::RemSIOp>(op))
    return llvm::all_of(op->getOperands(), isNeverNegative);
  // What may wrap around may be negative.
  if (!pl::ExactArithmetic().isExactThroughout(value))
    return false;
  if (isa<arith::AddIOp, arith::MulIOp>(op))
    return llvm::all_of(op->getOperands(), isNeverNegative);
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::LB, value);
  return succeeded(bound) && *bound >= 0;
}

OpFoldResult tegula::checkedOffset(TileLowering &lowering, Value offset,
                                   int64_t axis, Location loc) {
  OpBuilder &builder = lowering.builder;
  OpFoldResult start = IndexMath::fold(lowering.scalar(offset));
  if (isNeverNegative(offset))
    return start;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isNegative =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                            lowering.math(loc).value(start), zero);
  lowering.calls.reportIf(isNegative, TegulaNegativeOffset, axis, start,
                          builder.getIndexAttr(0), loc);
  return lowering.math(loc).max(start, builder.getIndexAttr(0));
}
