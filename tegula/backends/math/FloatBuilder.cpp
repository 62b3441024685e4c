// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/FloatBuilder.h"

using namespace mlir;
using namespace tegula;

template <typename Op, typename... Operands>
Value FloatBuilder::make(Operands... operands) {
  return Op::create(builder, loc, operands...);
}

Type FloatBuilder::like(Type other) const {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(other)) : other;
}

unsigned FloatBuilder::getWideBits() const {
  auto vector = dyn_cast<VectorType>(type);
  if (!target.hasAvx512 || !vector || vector.getRank() != 1)
    return 0;
  return vector.getNumElements() * element().getIntOrFloatBitWidth();
}

Value FloatBuilder::number(double value) {
  TypedAttr one = FloatAttr::get(element(), value);
  auto vector = dyn_cast<VectorType>(type);
  return make<arith::ConstantOp>(
      vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(one))) : one);
}

Value FloatBuilder::integer(int64_t value) {
  Type bits = builder.getIntegerType(element().getIntOrFloatBitWidth());
  TypedAttr one = IntegerAttr::get(bits, value);
  auto vector = dyn_cast<VectorType>(like(bits));
  return make<arith::ConstantOp>(
      vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(one))) : one);
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

Value FloatBuilder::bitsOf(Value value) {
  return make<arith::BitcastOp>(
      like(builder.getIntegerType(element().getIntOrFloatBitWidth())), value);
}
Value FloatBuilder::ofBits(Value bits) {
  return make<arith::BitcastOp>(type, bits);
}
Value FloatBuilder::addBits(Value lhs, Value rhs) {
  return make<arith::AddIOp>(lhs, rhs);
}
Value FloatBuilder::subBits(Value lhs, Value rhs) {
  return make<arith::SubIOp>(lhs, rhs);
}
Value FloatBuilder::andBits(Value lhs, Value rhs) {
  return make<arith::AndIOp>(lhs, rhs);
}
Value FloatBuilder::orBits(Value lhs, Value rhs) {
  return make<arith::OrIOp>(lhs, rhs);
}
Value FloatBuilder::xorBits(Value lhs, Value rhs) {
  return make<arith::XOrIOp>(lhs, rhs);
}
Value FloatBuilder::shiftLeft(Value bits, int64_t count) {
  return make<arith::ShLIOp>(bits, integer(count));
}

Value FloatBuilder::shiftRight(Value bits, int64_t count) {
  return make<arith::ShRUIOp>(bits, integer(count));
}
Value FloatBuilder::signOf(Value value) {
  int64_t sign = isDouble() ? INT64_MIN : INT32_MIN;
  return andBits(bitsOf(value), integer(sign));
}

Value FloatBuilder::shifter() { return number(0x1.8p23, 0x1.8p52); }

Value FloatBuilder::powerOfTwo(Value shifted) {
  Value exponent = shiftLeft(bitsOf(shifted), mantissaBits());
  return ofBits(addBits(exponent, integer(oneBits())));
}
