// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic on FP32 or FP64, on scalars and vectors alike, as the expansions
/// of mathematical functions write it.

#ifndef TEGULA_BACKENDS_MATH_FLOATBUILDER_H
#define TEGULA_BACKENDS_MATH_FLOATBUILDER_H

#include "tegula/backends/math/MathTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace tegula {

/// Builds ops on values of one float type. The bits of a float are integers of
/// its width.
class FloatBuilder {
public:
  using Value = mlir::Value;
  using Compare = mlir::arith::CmpFPredicate;

  FloatBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
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
  /// The same on values of another type.
  FloatBuilder withType(mlir::Type other) const {
    return {builder, loc, other, target};
  }

  Value number(double value);
  /// A number that differs by type.
  Value number(double single, double whole) {
    return number(isDouble() ? whole : single);
  }
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value div(Value lhs, Value rhs);
  /// `a * b + c`, rounded once where the processor does.
  Value fma(Value a, Value b, Value c);
  /// The same rounded once on every processor, however slowly.
  Value fuse(Value a, Value b, Value c);
  Value negate(Value value);
  Value absolute(Value value);
  /// The sum of coefficient[i] * x ** i.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients);

  Value compare(Compare predicate, Value lhs, Value rhs);
  Value select(Value condition, Value ifTrue, Value ifFalse);
  Value both(Value lhs, Value rhs);
  Value either(Value lhs, Value rhs);
  /// The value, or the limit beyond it; NaN stays.
  Value atMost(Value value, double limit);
  Value atLeast(Value value, double limit);

  // Bits.
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

  /// A number whose sum with an integer has that integer in its lowest bits.
  Value shifter();
  int64_t mantissaBits() const { return isDouble() ? 52 : 23; }
  /// The bits of 1.
  int64_t oneBits() const {
    return isDouble() ? int64_t(1023) << 52 : int64_t(127) << 23;
  }
  /// 2 ** n where `shifted` is n + shifter(), and n is an exponent that normal
  /// numbers have.
  Value powerOfTwo(Value shifted);

private:
  mlir::Type element() const { return mlir::getElementTypeOrSelf(type); }
  mlir::Type like(mlir::Type other) const;
  template <typename Op, typename... Operands> Value make(Operands... operands);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  const MathTarget &target;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_FLOATBUILDER_H
