// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/FloatBuilder.h"

using namespace mlir;
using namespace tegula;

template <typename Op, typename... Operands>
Value FloatBuilder::make(Operands... operands) {
  return Op::create(builder, loc, operands...);
}

Value FloatBuilder::number(double value) {
  return constant(FloatAttr::get(element(), value));
}

Value FloatBuilder::add(Value lhs, Value rhs) {
  return make<arith::AddFOp>(lhs, rhs);
}
Value FloatBuilder::sub(Value lhs, Value rhs) {
  return make<arith::SubFOp>(lhs, rhs);
}
Value FloatBuilder::mul(Value lhs, Value rhs) {
  return make<arith::MulFOp>(lhs, rhs);
}
Value FloatBuilder::div(Value lhs, Value rhs) {
  return make<arith::DivFOp>(lhs, rhs);
}
Value FloatBuilder::fma(Value a, Value b, Value c) {
  return target.fuses ? fuse(a, b, c) : add(mul(a, b), c);
}
Value FloatBuilder::fuse(Value a, Value b, Value c) {
  return make<math::FmaOp>(a, b, c);
}
Value FloatBuilder::negate(Value value) { return make<arith::NegFOp>(value); }
Value FloatBuilder::absolute(Value value) { return make<math::AbsFOp>(value); }

Value FloatBuilder::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = number(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, number(coefficient));
  return sum;
}

Value FloatBuilder::compare(Compare predicate, Value lhs, Value rhs) {
  return make<arith::CmpFOp>(predicate, lhs, rhs);
}
Value FloatBuilder::select(Value condition, Value ifTrue, Value ifFalse) {
  return make<arith::SelectOp>(condition, ifTrue, ifFalse);
}
Value FloatBuilder::both(Value lhs, Value rhs) {
  return make<arith::AndIOp>(lhs, rhs);
}
Value FloatBuilder::either(Value lhs, Value rhs) {
  return make<arith::OrIOp>(lhs, rhs);
}
// In this order, x86 has one instruction for it.
Value FloatBuilder::atMost(Value value, double limit) {
  Value most = number(limit);
  return select(compare(Compare::OLT, most, value), most, value);
}
Value FloatBuilder::atLeast(Value value, double limit) {
  Value least = number(limit);
  return select(compare(Compare::OGT, least, value), least, value);
}

Value FloatBuilder::shifter() { return number(0x1.8p23, 0x1.8p52); }

Value FloatBuilder::powerOfTwo(Value shifted) {
  Value exponent = shiftLeft(bitsOf(shifted), mantissaBits());
  return ofBits(addBits(exponent, integer(oneBits())));
}
