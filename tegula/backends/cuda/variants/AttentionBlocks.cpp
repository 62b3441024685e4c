// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/variants/AttentionBlocks.h"

#include "tegula/backends/cuda/variants/TilePattern.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;
using pl::LinearForm;

BlockLoop BlockLoop::of(Operation *op) {
  BlockLoop loop{AxisLoop::of(op)};
  if (!loop || !isConstantInt(loop.lower, 0))
    return {};
  loop.stepNumber = numberOf(loop.step).value_or(0);
  return loop.stepNumber > 0 ? loop : BlockLoop();
}

static bool isExtentOf(Value value, Value tensor, int64_t axis) {
  if (auto bind = value.getDefiningOp<pl::BindOp>())
    for (auto [bound, boundAxis] : llvm::zip(bind.getTensors(), bind.getAxes()))
      if (bound == tensor && boundAxis == axis)
        return true;
  auto dim = value.getDefiningOp<pl::DimOp>();
  return dim && dim.getSource() == tensor &&
         static_cast<int64_t>(dim.getAxis()) == axis;
}

bool tegula::isExtent(Value value, Value first, Value second, int64_t axis) {
  return isExtentOf(value, first, axis) || isExtentOf(value, second, axis);
}

/// `value - what`, if that is a number.
static std::optional<int64_t> distance(LinearForm value,
                                       const LinearForm &what) {
  value.add(what, -1);
  if (!value.isKnown() || !value.terms.empty())
    return std::nullopt;
  return value.constant;
}

bool tegula::isLinearForm(Value value, const LinearForm &linear) {
  return distance(LinearForm::of(value), linear) == 0;
}

void tegula::collectLeast(Value value, SmallVectorImpl<Value> &parts) {
  if (auto least = value.getDefiningOp<arith::MinSIOp>()) {
    collectLeast(least.getLhs(), parts);
    collectLeast(least.getRhs(), parts);
    return;
  }
  parts.push_back(value);
}

LinearForm AttentionBlocks::firstSeen() const {
  LinearForm linear = LinearForm::of(keyCount);
  linear.add(LinearForm::of(rows.upper), -1);
  linear.add(LinearForm::of(rows.variable), 1);
  return linear;
}

bool AttentionBlocks::reachesSeen(ArrayRef<Value> ends) const {
  // The last query of a block sees `step - 1` keys more than the first one,
  // and a loop ends one behind.
  LinearForm seen = firstSeen();
  return llvm::all_of(ends, [&](Value end) {
    return end == keyCount ||
           distance(LinearForm::of(end), seen).value_or(0) >= rows.stepNumber;
  });
}

bool AttentionBlocks::holdsForHidden(Value condition) const {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  LinearForm lhs = LinearForm::of(compare.getLhs()),
             rhs = LinearForm::of(compare.getRhs());
  // As lhs > rhs.
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::sgt:
    break;
  case arith::CmpIPredicate::sge:
    lhs.constant += 1;
    break;
  case arith::CmpIPredicate::slt:
    std::swap(lhs, rhs);
    break;
  case arith::CmpIPredicate::sle:
    std::swap(lhs, rhs);
    lhs.constant += 1;
    break;
  default:
    return false;
  }
  lhs.add(rhs, -1);
  LinearForm beyond = LinearForm::of(keys.variable);
  beyond.add(firstSeen(), -1);
  return distance(lhs, beyond).value_or(-1) >= keys.stepNumber - 1;
}

bool AttentionBlocks::isRest(Value value, bool ofRows) const {
  LinearForm rest = LinearForm::of(ofRows ? rows.upper : keyCount);
  rest.add(LinearForm::of(ofRows ? rows.variable : keys.variable), -1);
  return isLinearForm(value, rest);
}
