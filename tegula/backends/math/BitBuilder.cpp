// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/math/BitBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tegula;

Type BitBuilder::like(Type other) const {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(other)) : other;
}

unsigned BitBuilder::getWideBits() const {
  auto vector = dyn_cast<VectorType>(type);
  if (!target.hasAvx512 || !vector || vector.getRank() != 1)
    return 0;
  return vector.getNumElements() * element().getIntOrFloatBitWidth();
}

Value BitBuilder::constant(TypedAttr one) {
  auto vector = dyn_cast<VectorType>(like(one.getType()));
  return arith::ConstantOp::create(
      builder, loc,
      vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(one))) : one);
}

Value BitBuilder::integer(int64_t value) {
  Type bits = builder.getIntegerType(element().getIntOrFloatBitWidth());
  return constant(IntegerAttr::get(bits, value));
}

Value BitBuilder::bitsOf(Value value) {
  return arith::BitcastOp::create(
      builder, loc,
      like(builder.getIntegerType(element().getIntOrFloatBitWidth())), value);
}
Value BitBuilder::ofBits(Value bits) {
  return arith::BitcastOp::create(builder, loc, type, bits);
}
Value BitBuilder::addBits(Value lhs, Value rhs) {
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}
Value BitBuilder::subBits(Value lhs, Value rhs) {
  return arith::SubIOp::create(builder, loc, lhs, rhs);
}
Value BitBuilder::andBits(Value lhs, Value rhs) {
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}
Value BitBuilder::orBits(Value lhs, Value rhs) {
  return arith::OrIOp::create(builder, loc, lhs, rhs);
}
Value BitBuilder::xorBits(Value lhs, Value rhs) {
  return arith::XOrIOp::create(builder, loc, lhs, rhs);
}
Value BitBuilder::shiftLeft(Value bits, int64_t count) {
  return arith::ShLIOp::create(builder, loc, bits, integer(count));
}
Value BitBuilder::shiftRight(Value bits, int64_t count) {
  return arith::ShRUIOp::create(builder, loc, bits, integer(count));
}
Value BitBuilder::signOf(Value value) {
  int64_t sign = isDouble() ? INT64_MIN : INT32_MIN;
  return andBits(bitsOf(value), integer(sign));
}
