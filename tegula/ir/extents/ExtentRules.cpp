// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each op does to the extents of its operands.

#include "tegula/ir/extents/ExtentRules.h"

#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/ir/ops/semantics/Matmul.h"

using namespace mlir;
using namespace tegula::pl;

using Rule = ExtentRule;

// Made of sizes.

Rule CreateTensorOp::getExtentRule(unsigned axis) {
  return Rule::size(getSizes()[axis]);
}

Rule AllocWindowOp::getExtentRule(unsigned) { return Rule::size(getBytes()); }

Rule RetypeOp::getExtentRule(unsigned axis) {
  return Rule::size(getSizes()[axis]);
}

Rule FullOp::getExtentRule(unsigned axis) {
  return Rule::size(getSizes()[axis]);
}

Rule ArangeOp::getExtentRule(unsigned axis) {
  return Rule::size(getSizes()[axis]);
}

Rule ReshapeElementsOp::getExtentRule(unsigned axis) {
  return Rule::size(getSizes()[axis]);
}

Rule ViewOp::getExtentRule(unsigned axis) {
  return Rule::size(getSizes()[axis]);
}

Rule WithExtentsOp::getExtentRule(unsigned axis) {
  return Rule::extent(getExtents()[axis]);
}

// Windows.

Rule SliceOp::getSourceRule(unsigned axis) {
  return Rule::window(Rule::axis(getSource(), axis), getOffsets()[axis],
                      getSizes()[axis]);
}

Rule SliceOp::getExtentRule(unsigned axis) {
  return getSourceRule(getSourceAxis(axis));
}

Rule WindowOp::getExtentRule(unsigned axis) {
  return Rule::window(Rule::axis(getSource(), axis), getOffsets()[axis],
                      getSizes()[axis]);
}

// The same extents, or some of them on other axes.

Rule tegula::pl::ruleOf(LoadOpAdaptor op, unsigned axis) {
  return Rule::axis(op.getSource(), axis);
}
Rule LoadOp::getExtentRule(unsigned axis) {
  return ruleOf(Adaptor(*this), axis);
}

Rule RelaxOp::getExtentRule(unsigned axis) {
  return Rule::axis(getSource(), axis);
}

Rule PeerOp::getExtentRule(unsigned axis) {
  return Rule::axis(getSource(), axis);
}

Rule InsertOp::getExtentRule(unsigned axis) {
  return Rule::axis(getTarget(), axis);
}

Rule ScatterOp::getExtentRule(unsigned axis) {
  return Rule::axis(getTarget(), axis);
}

Rule tegula::pl::ruleOf(TransposeOpAdaptor op, unsigned axis) {
  return Rule::axis(op.getSource(), op.getPermutation()[axis]);
}
Rule TransposeOp::getExtentRule(unsigned axis) {
  return ruleOf(Adaptor(*this), axis);
}

/// Axes that are not units keep their order; with nothing but constants any
/// shape of as many elements is right.
Rule ReshapeOp::getExtentRule(unsigned axis) {
  ArrayRef<Dim> source = getSource().getType().getDims();
  ArrayRef<Dim> result = getResult().getType().getDims();
  auto isUnit = [](Dim dim) { return dim.isExactly(1); };
  if (isUnit(result[axis]) || getResult().getType().isExact())
    return Rule::size(getSizes()[axis]);
  unsigned position = llvm::count_if(result.take_front(axis),
                                     [&](Dim dim) { return !isUnit(dim); });
  unsigned from = 0;
  for (unsigned seen = 0; isUnit(source[from]) || seen++ < position;)
    ++from;
  return Rule::axis(getSource(), from);
}

/// An axis of 1 is repeated; one of at most 1 if there is something to repeat.
Rule BroadcastOp::getExtentRule(unsigned axis) {
  if (std::optional<unsigned> from = getSourceAxis(axis))
    return Rule::axis(getSource(), *from);
  Value size = getSizes()[axis];
  if (std::optional<unsigned> from = getOptionalAxis(axis))
    return Rule::repeat(size, Rule::axis(getSource(), *from));
  return Rule::size(size);
}

// Changed along one axis.

Rule tegula::pl::ruleOf(ReduceOpAdaptor op, unsigned axis) {
  return axis == op.getAxis() ? Rule::constant(1)
                              : Rule::axis(op.getSource(), axis);
}
Rule ReduceOp::getExtentRule(unsigned axis) {
  return ruleOf(Adaptor(*this), axis);
}

Rule tegula::pl::ruleOf(ConcatOpAdaptor op, unsigned axis) {
  if (axis == op.getAxis())
    return Rule::sum(Rule::axis(op.getLhs(), axis),
                     Rule::axis(op.getRhs(), axis));
  return Rule::meet({op.getLhs(), op.getRhs()}, axis);
}
Rule ConcatOp::getExtentRule(unsigned axis) {
  return ruleOf(Adaptor(*this), axis);
}

/// The bound itself.
Rule tegula::pl::ruleOf(FillPadOpAdaptor op, unsigned axis) {
  return Rule::constant(getDims(op.getSource().getType())[axis].getBound());
}
Rule FillPadOp::getExtentRule(unsigned axis) {
  return ruleOf(Adaptor(*this), axis);
}

Rule tegula::pl::ruleOf(FindOpAdaptor op, unsigned axis) {
  bool isLast = axis + 1 == getDims(op.getMask().getType()).size();
  return isLast ? Rule::constant(op.getColumns())
                : Rule::axis(op.getMask(), axis);
}
Rule FindOp::getExtentRule(unsigned axis) {
  return ruleOf(Adaptor(*this), axis);
}

/// As many as there are indices; along the other axes no more than the source
/// has.
Rule tegula::pl::ruleOf(GatherOpAdaptor op, unsigned axis) {
  Rule index = Rule::axis(op.getIndex(), axis);
  if (!op.getAxis() || *op.getAxis() == axis)
    return index;
  return Rule::least({index, Rule::axis(op.getSource(), axis)});
}
Rule GatherOp::getExtentRule(unsigned axis) {
  return ruleOf(Adaptor(*this), axis);
}

// Where all operands are valid.

Rule tegula::pl::detail::elementwiseRule(Operation *op, unsigned axis) {
  return Rule::meet(op->getOperands(), axis);
}

Rule BitcastOp::getExtentRule(unsigned axis) {
  return Rule::axis(getOperand(), axis);
}

/// Rows of the left operand, columns of the right one; batches of both, those
/// of exactly 1 repeated.
Rule tegula::pl::ruleOf(const MatmulOperands &matmul, unsigned axis) {
  unsigned lhsRank = getDims(matmul.lhs.getType()).size();
  unsigned rhsRank = getDims(matmul.rhs.getType()).size();
  unsigned rank = std::max(lhsRank, rhsRank);
  std::vector<Rule> parts;
  if (axis + 2 == rank) {
    parts.push_back(
        Rule::axis(matmul.lhs, lhsRank - (matmul.transposeLhs ? 1 : 2)));
  } else if (axis + 1 == rank) {
    parts.push_back(
        Rule::axis(matmul.rhs, rhsRank - (matmul.transposeRhs ? 2 : 1)));
  } else {
    for (Value operand : {matmul.lhs, matmul.rhs})
      if (std::optional<unsigned> from = getBatchAxis(operand, rank - axis))
        parts.push_back(Rule::axis(operand, *from));
    if (parts.empty())
      parts.push_back(Rule::constant(1));
  }
  if (matmul.acc)
    parts.push_back(Rule::axis(matmul.acc, axis));
  return Rule::meet(std::move(parts));
}
Rule MatmulOp::getExtentRule(unsigned axis) {
  return ruleOf(MatmulOperands{getLhs(), getRhs(), getAcc(), getTransposeLhs(),
                               getTransposeRhs()},
                axis);
}
