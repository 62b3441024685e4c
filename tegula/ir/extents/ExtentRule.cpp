// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentRule.h"

#include "tegula/ir/ops/PlDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tegula::pl;

ExtentRule ExtentRule::constant(int64_t number) {
  ExtentRule rule(Kind::Constant);
  rule.number = number;
  return rule;
}

ExtentRule ExtentRule::size(Value size) {
  ExtentRule rule(Kind::Size);
  rule.value = size;
  return rule;
}

ExtentRule ExtentRule::extent(Value extent) {
  ExtentRule rule(Kind::Extent);
  rule.value = extent;
  return rule;
}

ExtentRule ExtentRule::axis(Value shaped, unsigned axis) {
  ExtentRule rule(Kind::Axis);
  rule.value = shaped;
  rule.number = axis;
  return rule;
}

ExtentRule ExtentRule::least(std::vector<ExtentRule> parts) {
  ExtentRule rule(Kind::Least);
  rule.parts = std::move(parts);
  return rule;
}

ExtentRule ExtentRule::meet(std::vector<ExtentRule> parts) {
  ExtentRule rule(Kind::Meet);
  rule.parts = std::move(parts);
  return rule;
}

ExtentRule ExtentRule::meet(ValueRange tiles, unsigned axis) {
  std::vector<ExtentRule> parts;
  for (Value tile : tiles)
    parts.push_back(ExtentRule::axis(tile, axis));
  return meet(std::move(parts));
}

ExtentRule ExtentRule::sum(ExtentRule lhs, ExtentRule rhs) {
  ExtentRule rule(Kind::Sum);
  rule.parts = {std::move(lhs), std::move(rhs)};
  return rule;
}

ExtentRule ExtentRule::window(ExtentRule extent, Value offset, Value size) {
  ExtentRule rule(Kind::Window);
  rule.value = size;
  rule.offset = offset;
  rule.parts = {std::move(extent)};
  return rule;
}

ExtentRule ExtentRule::repeat(Value size, ExtentRule count) {
  ExtentRule rule(Kind::Repeat);
  rule.value = size;
  rule.parts = {std::move(count)};
  return rule;
}

std::optional<Dim> ExtentRule::meetDims(std::optional<Location> loc,
                                        unsigned axis) const {
  std::optional<Dim> dim;
  for (const ExtentRule &part : parts) {
    std::optional<Dim> next = part.getDim(loc, axis);
    if (!next)
      return std::nullopt;
    std::optional<Dim> met = dim ? dim->meet(*next) : next;
    bool differ = !met;
    if (differ && kind == Kind::Least)
      met = Dim::exactly(std::min(dim->getBound(), next->getBound()));
    if (!met) {
      (void)emitOptionalError(loc, "extents differ on axis ", axis, ": ",
                              dim->getBound(), " and ", next->getBound());
      return std::nullopt;
    }
    dim = met;
  }
  return dim;
}

/// The dim of a sum. One that does not fit has no bound.
static Dim addDims(Dim lhs, Dim rhs) {
  int64_t sum;
  if (!lhs.hasBound() || !rhs.hasBound() ||
      llvm::AddOverflow(lhs.getBound(), rhs.getBound(), sum))
    return Dim::any();
  return lhs.isExact() && rhs.isExact() ? Dim::exactly(sum) : Dim::atMost(sum);
}

std::optional<Dim> ExtentRule::getDim(std::optional<Location> loc,
                                      unsigned axis) const {
  switch (kind) {
  case Kind::Constant:
    return Dim::exactly(number);
  case Kind::Size:
  case Kind::Extent:
    return dimOfExtent(value);
  case Kind::Axis:
    return getDims(value.getType())[number];
  case Kind::Least:
  case Kind::Meet:
    return meetDims(loc, axis);
  case Kind::Sum:
    return addDims(parts[0].getDim(), parts[1].getDim());
  case Kind::Window:
    return dimOfWindow(parts[0].getDim(), offset, value);
  case Kind::Repeat: {
    Dim size = dimOfExtent(value);
    return size.isExact() ? Dim::atMost(size.getBound()) : size;
  }
  }
  llvm_unreachable("every kind is handled");
}

Dim ExtentRule::getDim() const {
  std::optional<Dim> dim = getDim(std::nullopt, 0);
  return dim ? *dim : Dim::any();
}

Value ExtentRule::build(OpBuilder &builder, Location loc) const {
  auto least = [&] {
    Value result;
    for (const ExtentRule &part : parts) {
      Value extent = part.build(builder, loc);
      result = result
                   ? builder.createOrFold<arith::MinSIOp>(loc, result, extent)
                   : extent;
    }
    return result;
  };
  switch (kind) {
  case Kind::Constant:
    return arith::ConstantIndexOp::create(builder, loc, number);
  case Kind::Size:
    return buildExtentOfSize(builder, loc, value);
  case Kind::Extent:
    return value;
  case Kind::Axis:
    return buildExtent(builder, loc, value, getAxis());
  case Kind::Least:
  case Kind::Meet:
    return least();
  case Kind::Sum: {
    Value lhs = parts[0].build(builder, loc);
    Value rhs = parts[1].build(builder, loc);
    return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  }
  case Kind::Window:
    return buildWindowExtent(builder, loc, parts[0].build(builder, loc), offset,
                             value);
  case Kind::Repeat: {
    Value size = buildExtentOfSize(builder, loc, value);
    Value count = parts[0].build(builder, loc);
    return builder.createOrFold<arith::MulIOp>(loc, size, count);
  }
  }
  llvm_unreachable("every kind is handled");
}
