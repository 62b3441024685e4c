// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Integers as wide as a float, on scalars and vectors alike, as the expansions
/// of mathematical functions take floats apart and put them together.

#ifndef TEGULA_BACKENDS_MATH_BITBUILDER_H
#define TEGULA_BACKENDS_MATH_BITBUILDER_H

#include "tegula/backends/math/MathTarget.h"

#include "mlir/IR/Builders.h"

namespace tegula {

/// Builds ops on the bits of values of one float type.
class BitBuilder {
public:
  using Value = mlir::Value;

  BitBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
             const MathTarget &target)
      : builder(builder), loc(loc), type(type), target(target) {}

  bool isDouble() const { return element().isF64(); }
  mlir::Type getType() const { return type; }
  mlir::Location getLoc() const { return loc; }
  mlir::OpBuilder &getBuilder() { return builder; }
  const MathTarget &getTarget() const { return target; }
  /// The bits of a vector on a processor that has registers of 512; else 0.
  unsigned getWideBits() const;
  /// True for a register of 512 bits on a processor that has them.
  bool isWide() const { return getWideBits() == 512; }
  /// True if one instruction multiplies by powers of two.
  bool hasScale() const { return isWide() || getWideBits() == 256; }

  Value integer(int64_t value);
  Value bitsOf(Value value);
  Value ofBits(Value bits);
  Value addBits(Value lhs, Value rhs);
  Value subBits(Value lhs, Value rhs);
  Value andBits(Value lhs, Value rhs);
  Value orBits(Value lhs, Value rhs);
  Value xorBits(Value lhs, Value rhs);
  Value shiftLeft(Value bits, int64_t count);
  Value shiftRight(Value bits, int64_t count);
  /// The sign bit alone.
  Value signOf(Value value);
  /// The value, not negative, with this sign bit.
  Value withSign(Value value, Value sign) {
    return ofBits(orBits(bitsOf(value), sign));
  }
  int64_t mantissaBits() const { return isDouble() ? 52 : 23; }
  /// The bits of 1.
  int64_t oneBits() const {
    return isDouble() ? int64_t(1023) << 52 : int64_t(127) << 23;
  }

protected:
  mlir::Type element() const { return mlir::getElementTypeOrSelf(type); }
  /// A constant, the same in all lanes.
  Value constant(mlir::TypedAttr one);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  const MathTarget &target;

private:
  mlir::Type like(mlir::Type other) const;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_BITBUILDER_H
