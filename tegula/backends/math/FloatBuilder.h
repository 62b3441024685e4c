// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic on FP32 or FP64, on scalars and vectors alike, as the expansions
/// of mathematical functions write it.

#ifndef TEGULA_BACKENDS_MATH_FLOATBUILDER_H
#define TEGULA_BACKENDS_MATH_FLOATBUILDER_H

#include "tegula/backends/math/BitBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tegula {

/// Builds ops on values of one float type, and on their bits.
class FloatBuilder : public BitBuilder {
public:
  using Compare = mlir::arith::CmpFPredicate;

  using BitBuilder::BitBuilder;

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

  /// A number whose sum with an integer has that integer in its lowest bits.
  Value shifter();
  /// 2 ** n where `shifted` is n + shifter(), and n is an exponent that normal
  /// numbers have.
  Value powerOfTwo(Value shifted);

private:
  template <typename Op, typename... Operands> Value make(Operands... operands);
};

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_FLOATBUILDER_H
