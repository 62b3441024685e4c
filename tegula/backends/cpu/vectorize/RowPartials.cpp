// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/vectorize/RowPartials.h"

#include "tegula/ir/OpCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tegula;

using Flags = arith::FastMathFlags;

RowPartials::RowPartials(OpBuilder &builder, Location loc,
                         const Combiner &combiner)
    : builder(builder), loc(loc), combiner(combiner) {
  Type type = combiner.neutral.getType();
  isExtreme = isa<arith::MaximumFOp, arith::MinimumFOp>(combiner.op) &&
              (type.isF32() || type.isF64());
}

int64_t RowPartials::countFor(linalg::GenericOp op, const MachineCosts &costs) {
  bool isLong = llvm::any_of(*op.getBody(), [&](Operation &nested) {
    return pl::getCost(&nested) > costs.read;
  });
  return isLong ? 1 : costs.rowPartials;
}

RowPartials::Carried RowPartials::begin(Value neutral, int64_t count) {
  Carried carried(count, neutral);
  if (isExtreme) {
    auto type = cast<VectorType>(neutral.getType()).clone(builder.getI1Type());
    carried.push_back(arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, false)));
  }
  return carried;
}

/// The element where one of both is NaN, as the processor's own instruction.
Value RowPartials::pick(Value before, Value element) {
  if (!isExtreme)
    return combiner.apply(builder, before, element);
  auto predicate = isa<arith::MaximumFOp>(combiner.op)
                       ? arith::CmpFPredicate::OGT
                       : arith::CmpFPredicate::OLT;
  Value stays = arith::CmpFOp::create(builder, loc, predicate, before, element);
  return arith::SelectOp::create(builder, loc, stays, before, element);
}

/// One comparison sees NaN in two vectors.
Value RowPartials::findUnordered(ArrayRef<Value> elements, Value before) {
  for (size_t first = 0; first < elements.size(); first += 2) {
    Value other = elements[std::min(first + 1, elements.size() - 1)];
    Value found = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                        elements[first], other);
    before = arith::OrIOp::create(builder, loc, before, found);
  }
  return before;
}

RowPartials::Carried
RowPartials::combine(ValueRange carried, ArrayRef<Value> elements, Value mask) {
  auto keepRest = [&](Value next, Value before) -> Value {
    return mask ? arith::SelectOp::create(builder, loc, mask, next, before)
                      .getResult()
                : next;
  };
  Carried next;
  for (auto [before, element] : llvm::zip(carried, elements))
    next.push_back(keepRest(pick(before, element), before));
  if (isExtreme)
    next.push_back(
        keepRest(findUnordered(elements, carried.back()), carried.back()));
  return next;
}

RowPartials::Carried RowPartials::join(ValueRange carried) {
  ValueRange partials = isExtreme ? carried.drop_back() : carried;
  Value joined = partials.front();
  for (Value partial : partials.drop_front())
    joined = pick(joined, partial);
  Carried one = {joined};
  if (isExtreme)
    one.push_back(carried.back());
  return one;
}

Value RowPartials::finish(ValueRange joined) {
  // In which order lanes are combined is nobody's business.
  Flags flags = Flags::reassoc | Flags::nsz;
  if (isExtreme)
    flags = flags | Flags::nnan;
  Value reduced = vector::ReductionOp::create(builder, loc, combiner.kind,
                                              joined.front(), flags);
  if (!isExtreme)
    return reduced;
  Value isSeen = vector::ReductionOp::create(
      builder, loc, vector::CombiningKind::OR, joined.back());
  auto type = cast<FloatType>(reduced.getType());
  Value nan = arith::ConstantOp::create(
      builder, loc,
      builder.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics())));
  return arith::SelectOp::create(builder, loc, isSeen, nan, reduced);
}
