// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise ops on one element of data: the meaning that the interpreter
// gives them. Floats are computed in double and rounded once.

#include "tegula/ir/ops/PlOps.h"

#include <cmath>

using namespace tegula;
using namespace tegula::pl;

using Scalars = llvm::ArrayRef<Scalar>;

static Scalar real(Scalars like, double value) {
  return Scalar::ofReal(like.front().getDType(), value);
}
/// The low bits of `value` in the type of the operands.
static Scalar integer(Scalars like, uint64_t value) {
  return Scalar::ofInteger(like.front().getDType(),
                           static_cast<int64_t>(value));
}
/// Integers as bits: sums, differences and products wrap.
static uint64_t bits(Scalar number) {
  return static_cast<uint64_t>(number.getInteger());
}

Scalar NegOp::evaluate(Scalars x) {
  return x[0].isReal() ? real(x, -x[0].getReal()) : integer(x, -bits(x[0]));
}
Scalar AbsOp::evaluate(Scalars x) {
  if (x[0].isReal())
    return real(x, std::fabs(x[0].getReal()));
  bool isNegative = !x[0].isUnsignedInteger() && x[0].getInteger() < 0;
  return isNegative ? integer(x, -bits(x[0])) : x[0];
}
Scalar ExpOp::evaluate(Scalars x) { return real(x, std::exp(x[0].getReal())); }
Scalar LogOp::evaluate(Scalars x) { return real(x, std::log(x[0].getReal())); }
Scalar SqrtOp::evaluate(Scalars x) {
  return real(x, std::sqrt(x[0].getReal()));
}
Scalar RsqrtOp::evaluate(Scalars x) {
  return real(x, 1 / std::sqrt(x[0].getReal()));
}
Scalar RecipOp::evaluate(Scalars x) { return real(x, 1 / x[0].getReal()); }
Scalar SinOp::evaluate(Scalars x) { return real(x, std::sin(x[0].getReal())); }
Scalar CosOp::evaluate(Scalars x) { return real(x, std::cos(x[0].getReal())); }
Scalar TanhOp::evaluate(Scalars x) {
  return real(x, std::tanh(x[0].getReal()));
}
Scalar ErfOp::evaluate(Scalars x) { return real(x, std::erf(x[0].getReal())); }
Scalar FloorOp::evaluate(Scalars x) {
  return real(x, std::floor(x[0].getReal()));
}
Scalar CeilOp::evaluate(Scalars x) {
  return real(x, std::ceil(x[0].getReal()));
}
Scalar TruncOp::evaluate(Scalars x) {
  return real(x, std::trunc(x[0].getReal()));
}
Scalar RoundOp::evaluate(Scalars x) {
  return real(x, roundToIntegral(x[0].getReal(), Rounding::Rint));
}
Scalar ReluOp::evaluate(Scalars x) {
  if (!x[0].isReal())
    return x[0].isUnsignedInteger() || x[0].getInteger() > 0 ? x[0]
                                                             : integer(x, 0);
  double value = x[0].getReal();
  return std::isnan(value) || value > 0 ? x[0] : real(x, 0);
}
Scalar NotOp::evaluate(Scalars x) { return integer(x, ~bits(x[0])); }

Scalar AddOp::evaluate(Scalars x) {
  return x[0].isReal() ? real(x, x[0].getReal() + x[1].getReal())
                       : integer(x, bits(x[0]) + bits(x[1]));
}
Scalar SubOp::evaluate(Scalars x) {
  return x[0].isReal() ? real(x, x[0].getReal() - x[1].getReal())
                       : integer(x, bits(x[0]) - bits(x[1]));
}
Scalar MulOp::evaluate(Scalars x) {
  return x[0].isReal() ? real(x, x[0].getReal() * x[1].getReal())
                       : integer(x, bits(x[0]) * bits(x[1]));
}

/// Quotient toward zero and what it leaves; 0 and 0 for a divisor of 0.
static std::pair<uint64_t, uint64_t> divide(Scalar lhs, Scalar rhs) {
  if (!rhs.isTrue())
    return {0, 0};
  if (lhs.isUnsignedInteger())
    return {bits(lhs) / bits(rhs), bits(lhs) % bits(rhs)};
  // The lowest value has no positive counterpart: the quotient wraps.
  if (rhs.getInteger() == -1)
    return {-bits(lhs), 0};
  return {lhs.getInteger() / rhs.getInteger(),
          lhs.getInteger() % rhs.getInteger()};
}

/// True if a quotient that was rounded toward zero is above the real one.
static bool wasRoundedUp(Scalar rhs, uint64_t rest) {
  bool isRestNegative = static_cast<int64_t>(rest) < 0;
  return !rhs.isUnsignedInteger() && rest != 0 &&
         isRestNegative != (rhs.getInteger() < 0);
}

Scalar DivOp::evaluate(Scalars x) {
  if (x[0].isReal())
    return real(x, x[0].getReal() / x[1].getReal());
  auto [quotient, rest] = divide(x[0], x[1]);
  return integer(x, quotient - (wasRoundedUp(x[1], rest) ? 1 : 0));
}

Scalar RemOp::evaluate(Scalars x) {
  if (!x[0].isReal()) {
    auto [quotient, rest] = divide(x[0], x[1]);
    return integer(x, rest + (wasRoundedUp(x[1], rest) ? bits(x[1]) : 0));
  }
  double divisor = x[1].getReal();
  double rest = std::fmod(x[0].getReal(), divisor);
  if (rest == 0)
    return real(x, std::copysign(0.0, divisor));
  return real(x, (rest < 0) != (divisor < 0) ? rest + divisor : rest);
}

Scalar FmodOp::evaluate(Scalars x) {
  return x[0].isReal() ? real(x, std::fmod(x[0].getReal(), x[1].getReal()))
                       : integer(x, divide(x[0], x[1]).second);
}
/// base ** exponent in 64 bits, of which types keep the low ones.
static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}
Scalar PowOp::evaluate(Scalars x) {
  if (!x[0].isReal()) {
    bool isNegative = !x[1].isUnsignedInteger() && x[1].getInteger() < 0;
    bool isUnit = x[0].getInteger() == 1 || x[0].getInteger() == -1;
    return integer(x,
                   isNegative && !isUnit ? 0 : power(bits(x[0]), bits(x[1])));
  }
  return real(x, std::pow(x[0].getReal(), x[1].getReal()));
}

/// lhs < rhs in the order of their type.
static bool isLess(Scalar lhs, Scalar rhs) {
  if (lhs.isReal())
    return lhs.getReal() < rhs.getReal();
  return lhs.isUnsignedInteger() ? bits(lhs) < bits(rhs)
                                 : lhs.getInteger() < rhs.getInteger();
}

/// The operand that is NaN, or nothing.
static const Scalar *findNaN(Scalars x) {
  for (const Scalar &number : x)
    if (number.isReal() && std::isnan(number.getReal()))
      return &number;
  return nullptr;
}

/// The larger of two that are not NaN. 0 counts as larger than -0.
static Scalar larger(Scalars x) {
  if (x[0].isReal() && x[0].getReal() == x[1].getReal())
    return std::signbit(x[0].getReal()) ? x[1] : x[0];
  return isLess(x[0], x[1]) ? x[1] : x[0];
}
static Scalar smaller(Scalars x) {
  if (x[0].isReal() && x[0].getReal() == x[1].getReal())
    return std::signbit(x[0].getReal()) ? x[0] : x[1];
  return isLess(x[1], x[0]) ? x[1] : x[0];
}

Scalar MaximumOp::evaluate(Scalars x) {
  const Scalar *nan = findNaN(x);
  return nan ? *nan : larger(x);
}
Scalar MinimumOp::evaluate(Scalars x) {
  const Scalar *nan = findNaN(x);
  return nan ? *nan : smaller(x);
}
/// The other operand of one that is NaN.
static Scalar besides(Scalars x, const Scalar *nan) {
  return nan == &x[0] ? x[1] : x[0];
}
Scalar FmaxOp::evaluate(Scalars x) {
  const Scalar *nan = findNaN(x);
  return nan ? besides(x, nan) : larger(x);
}
Scalar FminOp::evaluate(Scalars x) {
  const Scalar *nan = findNaN(x);
  return nan ? besides(x, nan) : smaller(x);
}

Scalar AndOp::evaluate(Scalars x) {
  return integer(x, bits(x[0]) & bits(x[1]));
}
Scalar OrOp::evaluate(Scalars x) { return integer(x, bits(x[0]) | bits(x[1])); }
Scalar XorOp::evaluate(Scalars x) {
  return integer(x, bits(x[0]) ^ bits(x[1]));
}

Scalar ShlOp::evaluate(Scalars x) {
  uint64_t count = x[1].getUnsigned();
  return integer(x, count < x[0].getWidth() ? bits(x[0]) << count : 0);
}
Scalar ShrOp::evaluate(Scalars x) {
  uint64_t count = x[1].getUnsigned();
  bool isSigned = x[0].getDType() != DType::Bool && !x[0].isUnsignedInteger();
  uint64_t width = x[0].getWidth();
  if (isSigned)
    return integer(x, x[0].getInteger() >> std::min(count, width - 1));
  return integer(x, count < width ? x[0].getUnsigned() >> count : 0);
}

Scalar CmpOp::evaluate(Scalars x) {
  bool isEqual = x[0].isReal() ? x[0].getReal() == x[1].getReal()
                               : bits(x[0]) == bits(x[1]);
  switch (getComparison()) {
  case Comparison::Eq:
    return Scalar::ofBool(isEqual);
  case Comparison::Ne:
    return Scalar::ofBool(!isEqual);
  case Comparison::Lt:
    return Scalar::ofBool(isLess(x[0], x[1]));
  case Comparison::Le:
    return Scalar::ofBool(isLess(x[0], x[1]) || isEqual);
  case Comparison::Gt:
    return Scalar::ofBool(isLess(x[1], x[0]));
  case Comparison::Ge:
    return Scalar::ofBool(isLess(x[1], x[0]) || isEqual);
  }
  llvm_unreachable("every comparison is covered");
}

Scalar SelectOp::evaluate(Scalars x) { return x[0].isTrue() ? x[1] : x[2]; }

Scalar CastOp::evaluate(Scalars x) {
  return x[0].cast(*getDType(getElementOrSelf(getResult().getType())),
                   getRounding());
}
