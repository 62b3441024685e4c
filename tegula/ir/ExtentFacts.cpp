// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ExtentFacts.h"

#include "tegula/ir/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace tegula::pl;

/// Longer chains of ops than this are not followed.
static constexpr unsigned maxDepth = 256;

static OpFoldResult rootOf(Value shaped, unsigned axis, unsigned depth);

/// The root of a size operand: a constant, or the root of what it measures.
static OpFoldResult rootOfSize(Value size, unsigned depth) {
  Attribute constant;
  if (matchPattern(size, m_Constant(&constant)))
    return constant;
  if (auto dim = size.getDefiningOp<DimOp>())
    if (OpFoldResult root = rootOf(dim.getSource(), dim.getAxis(), depth + 1))
      return root;
  return size;
}

/// A window that starts at 0 and is as long as its source is its source.
static OpFoldResult rootOfWindow(Value source, unsigned axis, Value offset,
                                 Value size, unsigned depth) {
  OpFoldResult extent = rootOf(source, axis, depth + 1);
  if (extent && matchPattern(offset, m_Zero()) &&
      rootOfSize(size, depth) == extent)
    return extent;
  return {};
}

static OpFoldResult rootOfAll(ArrayRef<std::pair<Value, unsigned>> axes,
                              unsigned depth) {
  OpFoldResult root;
  for (auto [value, axis] : axes) {
    OpFoldResult next = rootOf(value, axis, depth + 1);
    if (!next || (root && next != root))
      return {};
    root = next;
  }
  return root;
}

static OpFoldResult rootOfArgument(BlockArgument argument, unsigned axis,
                                   unsigned depth) {
  for (Operation *user : argument.getUsers())
    if (auto bind = dyn_cast<BindOp>(user))
      for (auto [tensor, bound] : llvm::zip(bind.getTensors(), bind.getAxes()))
        if (tensor == argument && bound == axis)
          return bind.getExtent();
  // Around a loop the extent stays what it was, if the loop is well formed:
  // whoever relies on it checks the value the loop yields.
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (loop && argument != loop.getInductionVar())
    return rootOf(loop.getTiedLoopInit(argument)->get(), axis, depth + 1);
  return {};
}

static OpFoldResult rootOfResult(Operation *op, unsigned axis, unsigned depth) {
  using Result = OpFoldResult;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<FullOp, ArangeOp, CreateTensorOp>(
          [&](auto made) { return rootOfSize(made.getSizes()[axis], depth); })
      .Case([&](SliceOp slice) {
        unsigned from = slice.getSourceAxis(axis);
        return rootOfWindow(slice.getSource(), from, slice.getOffsets()[from],
                            slice.getSizes()[from], depth);
      })
      .Case([&](WindowOp part) {
        return rootOfWindow(part.getSource(), axis, part.getOffsets()[axis],
                            part.getSizes()[axis], depth);
      })
      .Case<LoadOp, RelaxOp, ReduceOp>(
          [&](auto same) { return rootOf(same.getSource(), axis, depth + 1); })
      .Case([&](BroadcastOp broadcast) -> Result {
        if (std::optional<unsigned> from = broadcast.getSourceAxis(axis))
          return rootOf(broadcast.getSource(), *from, depth + 1);
        return rootOfSize(broadcast.getSizes()[axis], depth);
      })
      .Case([&](TransposeOp transpose) {
        return rootOf(transpose.getSource(), transpose.getPermutation()[axis],
                      depth + 1);
      })
      .Case([&](InsertOp insert) {
        return rootOf(insert.getTarget(), axis, depth + 1);
      })
      .Case([&](MatmulOp matmul) {
        SmallVector<std::pair<Value, unsigned>> axes;
        if (axis == 0)
          axes.push_back({matmul.getLhs(), matmul.getTransposeLhs() ? 1 : 0});
        else
          axes.push_back({matmul.getRhs(), matmul.getTransposeRhs() ? 0 : 1});
        if (matmul.getAcc())
          axes.push_back({matmul.getAcc(), axis});
        return rootOfAll(axes, depth);
      })
      .Default([&](Operation *other) -> Result {
        if (!isa<ElementwiseOpInterface>(other))
          return {};
        SmallVector<std::pair<Value, unsigned>> axes;
        for (Value operand : other->getOperands())
          axes.push_back({operand, axis});
        return rootOfAll(axes, depth);
      });
}

static OpFoldResult rootOf(Value shaped, unsigned axis, unsigned depth) {
  Dim dim = getDims(shaped.getType())[axis];
  if (dim.isExact())
    return IntegerAttr::get(IndexType::get(shaped.getContext()),
                            dim.getBound());
  if (depth > maxDepth)
    return {};
  if (auto argument = dyn_cast<BlockArgument>(shaped))
    return rootOfArgument(argument, axis, depth);
  return rootOfResult(shaped.getDefiningOp(), axis, depth);
}

OpFoldResult tegula::pl::rootOfExtent(Value shaped, unsigned axis) {
  return rootOf(shaped, axis, 0);
}

bool tegula::pl::areEqualExtents(Value lhs, unsigned lhsAxis, Value rhs,
                                 unsigned rhsAxis) {
  if (lhs == rhs && lhsAxis == rhsAxis)
    return true;
  OpFoldResult left = rootOfExtent(lhs, lhsAxis);
  OpFoldResult right = rootOfExtent(rhs, rhsAxis);
  if (!left || !right)
    return false;
  if (left == right)
    return true;
  auto leftValue = dyn_cast<Value>(left), rightValue = dyn_cast<Value>(right);
  if (!leftValue || !rightValue)
    return false;
  FailureOr<bool> areEqual =
      ValueBoundsConstraintSet::areEqual(leftValue, rightValue);
  return succeeded(areEqual) && *areEqual;
}

uint64_t tegula::pl::knownDivisor(Value index) {
  llvm::APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return constant.abs().getLimitedValue();
  if (auto mul = index.getDefiningOp<arith::MulIOp>()) {
    uint64_t lhs = knownDivisor(mul.getLhs()), rhs = knownDivisor(mul.getRhs());
    bool overflows = lhs != 0 && rhs > UINT32_MAX / lhs;
    return overflows ? std::max(lhs, rhs) : lhs * rhs;
  }
  if (auto add = index.getDefiningOp<arith::AddIOp>())
    return std::gcd(knownDivisor(add.getLhs()), knownDivisor(add.getRhs()));
  if (auto sub = index.getDefiningOp<arith::SubIOp>())
    return std::gcd(knownDivisor(sub.getLhs()), knownDivisor(sub.getRhs()));
  // A loop variable is its start plus a multiple of the step.
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent);
        loop && argument == loop.getInductionVar())
      return std::gcd(knownDivisor(loop.getLowerBound()),
                      knownDivisor(loop.getStep()));
    if (auto loop = dyn_cast<ParallelOp>(parent))
      return std::gcd(knownDivisor(loop.getLower()),
                      knownDivisor(loop.getStep()));
  }
  return 1;
}

std::string tegula::pl::describeExtent(Value shaped, unsigned axis) {
  OpFoldResult root = rootOfExtent(shaped, axis);
  if (auto constant = dyn_cast_if_present<Attribute>(root))
    return std::to_string(cast<IntegerAttr>(constant).getInt());
  if (auto value = dyn_cast_if_present<Value>(root))
    if (auto bind = value.getDefiningOp<BindOp>())
      return bind.getSymbol().str();
  return "a run-time value";
}
