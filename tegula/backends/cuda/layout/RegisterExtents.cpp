// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far tiles in registers are valid, by the rules of their ops.

#include "tegula/backends/cuda/layout/TileDistributor.h"

using namespace mlir;
using namespace tegula;

OpFoldResult TileDistributor::emitRule(const pl::ExtentRule &rule) {
  using Kind = pl::ExtentRule::Kind;
  ArrayRef<pl::ExtentRule> parts = rule.getParts();
  auto size = [&](Value value) {
    return math().max(IndexMath::fold(scalar(value)), math().constant(0));
  };
  switch (rule.getKind()) {
  case Kind::Constant:
    return math().constant(rule.getNumber());
  case Kind::Size:
    return size(rule.getValue());
  case Kind::Extent:
    return IndexMath::fold(scalar(rule.getValue()));
  case Kind::Axis:
    return getExtents(rule.getValue())[rule.getAxis()];
  case Kind::Sum:
    return math().add(emitRule(parts[0]), emitRule(parts[1]));
  case Kind::Window: {
    OpFoldResult left = math().sub(emitRule(parts[0]), size(rule.getOffset()));
    OpFoldResult length = IndexMath::fold(scalar(rule.getSize()));
    return math().max(math().min(length, left), math().constant(0));
  }
  case Kind::Repeat:
    return math().mul(size(rule.getValue()), emitRule(parts[0]));
  case Kind::Least:
  case Kind::Meet: {
    OpFoldResult least = emitRule(parts[0]);
    for (const pl::ExtentRule &part : parts.drop_front())
      least = math().min(least, emitRule(part));
    return least;
  }
  }
  llvm_unreachable("every kind is handled");
}

void TileDistributor::setExtents(Operation &op) {
  Value result = op.getResult(0);
  Indices lengths;
  auto select = dyn_cast<arith::SelectOp>(op);
  auto rules = dyn_cast<pl::ExtentsOpInterface>(op);
  for (auto [axis, dim] : llvm::enumerate(pl::getDims(result.getType()))) {
    if (dim.isExact())
      lengths.push_back(builder.getIndexAttr(dim.getBound()));
    else if (select)
      lengths.push_back(
          arith::SelectOp::create(
              builder, loc, scalar(select.getCondition()),
              math().value(getExtents(select.getTrueValue())[axis]),
              math().value(getExtents(select.getFalseValue())[axis]))
              .getResult());
    else
      lengths.push_back(emitRule(rules.getExtentRule(axis)));
  }
  extents[result] = lengths;
}
