// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/codegen/IndexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace tegula;

OpFoldResult IndexMath::constant(int64_t number) {
  return builder.getIndexAttr(number);
}

std::optional<int64_t> IndexMath::number(OpFoldResult index) {
  return getConstantIntValue(index);
}

OpFoldResult IndexMath::fold(Value value) { return getAsOpFoldResult(value); }

Value IndexMath::value(OpFoldResult number) {
  return getValueOrCreateConstantIndexOp(builder, loc, number);
}

OpFoldResult IndexMath::add(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = number(lhs), right = number(rhs);
  if (left && right)
    return constant(*left + *right);
  if (left == 0)
    return rhs;
  if (right == 0)
    return lhs;
  return arith::AddIOp::create(builder, loc, value(lhs), value(rhs))
      .getResult();
}

OpFoldResult IndexMath::sub(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = number(lhs), right = number(rhs);
  if (left && right)
    return constant(*left - *right);
  if (right == 0)
    return lhs;
  return arith::SubIOp::create(builder, loc, value(lhs), value(rhs))
      .getResult();
}

OpFoldResult IndexMath::mul(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = number(lhs), right = number(rhs);
  if (left && right)
    return constant(*left * *right);
  if (left == 0 || right == 0)
    return constant(0);
  if (left == 1)
    return rhs;
  if (right == 1)
    return lhs;
  return arith::MulIOp::create(builder, loc, value(lhs), value(rhs))
      .getResult();
}

OpFoldResult IndexMath::min(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = number(lhs), right = number(rhs);
  if (left && right)
    return constant(std::min(*left, *right));
  if (lhs == rhs)
    return lhs;
  return arith::MinSIOp::create(builder, loc, value(lhs), value(rhs))
      .getResult();
}

OpFoldResult IndexMath::max(OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = number(lhs), right = number(rhs);
  if (left && right)
    return constant(std::max(*left, *right));
  if (lhs == rhs)
    return lhs;
  return arith::MaxSIOp::create(builder, loc, value(lhs), value(rhs))
      .getResult();
}
