// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise ops on one element of data: the meaning that the interpreter
// gives them. Floats are computed in double and rounded once.

#include "tegula/ir/PlOps.h"

#include <cmath>

using namespace tegula;
using namespace tegula::pl;

using Numbers = llvm::ArrayRef<Number>;

static Number real(Numbers like, double value) {
  return Number::ofReal(like.front().getDType(), value);
}
/// The low bits of `value` in the type of the operands.
static Number integer(Numbers like, uint64_t value) {
  return Number::ofInteger(like.front().getDType(),
                           static_cast<int64_t>(value));
}
/// Integers as bits: sums, differences and products wrap.
static uint64_t bits(Number number) {
  return static_cast<uint64_t>(number.getInteger());
}

Number NegOp::evaluate(Numbers x) {
  return x[0].isReal() ? real(x, -x[0].getReal()) : integer(x, -bits(x[0]));
}
Number AbsOp::evaluate(Numbers x) {
  if (x[0].isReal())
    return real(x, std::fabs(x[0].getReal()));
  bool isNegative = !x[0].isUnsignedInteger() && x[0].getInteger() < 0;
  return isNegative ? integer(x, -bits(x[0])) : x[0];
}
Number ExpOp::evaluate(Numbers x) { return real(x, std::exp(x[0].getReal())); }
Number LogOp::evaluate(Numbers x) { return real(x, std::log(x[0].getReal())); }
Number SqrtOp::evaluate(Numbers x) {
  return real(x, std::sqrt(x[0].getReal()));
}
Number RsqrtOp::evaluate(Numbers x) {
  return real(x, 1 / std::sqrt(x[0].getReal()));
}
Number RecipOp::evaluate(Numbers x) { return real(x, 1 / x[0].getReal()); }
Number SinOp::evaluate(Numbers x) { return real(x, std::sin(x[0].getReal())); }
Number CosOp::evaluate(Numbers x) { return real(x, std::cos(x[0].getReal())); }
Number TanhOp::evaluate(Numbers x) {
  return real(x, std::tanh(x[0].getReal()));
}
Number ErfOp::evaluate(Numbers x) { return real(x, std::erf(x[0].getReal())); }
Number FloorOp::evaluate(Numbers x) {
  return real(x, std::floor(x[0].getReal()));
}
Number CeilOp::evaluate(Numbers x) {
  return real(x, std::ceil(x[0].getReal()));
}
Number TruncOp::evaluate(Numbers x) {
  return real(x, std::trunc(x[0].getReal()));
}
Number RoundOp::evaluate(Numbers x) {
  return real(x, roundToIntegral(x[0].getReal(), Rounding::Rint));
}
Number ReluOp::evaluate(Numbers x) {
  if (!x[0].isReal())
    return x[0].isUnsignedInteger() || x[0].getInteger() > 0 ? x[0]
                                                             : integer(x, 0);
  double value = x[0].getReal();
  return std::isnan(value) || value > 0 ? x[0] : real(x, 0);
}
Number NotOp::evaluate(Numbers x) { return integer(x, ~bits(x[0])); }

Number AddOp::evaluate(Numbers x) {
  return x[0].isReal() ? real(x, x[0].getReal() + x[1].getReal())
                       : integer(x, bits(x[0]) + bits(x[1]));
}
Number SubOp::evaluate(Numbers x) {
  return x[0].isReal() ? real(x, x[0].getReal() - x[1].getReal())
                       : integer(x, bits(x[0]) - bits(x[1]));
}
Number MulOp::evaluate(Numbers x) {
  return x[0].isReal() ? real(x, x[0].getReal() * x[1].getReal())
                       : integer(x, bits(x[0]) * bits(x[1]));
}

/// Quotient toward zero and what it leaves; 0 and 0 for a divisor of 0.
static std::pair<uint64_t, uint64_t> divide(Number lhs, Number rhs) {
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
static bool wasRoundedUp(Number rhs, uint64_t rest) {
  bool isRestNegative = static_cast<int64_t>(rest) < 0;
  return !rhs.isUnsignedInteger() && rest != 0 &&
         isRestNegative != (rhs.getInteger() < 0);
}

Number DivOp::evaluate(Numbers x) {
  if (x[0].isReal())
    return real(x, x[0].getReal() / x[1].getReal());
  auto [quotient, rest] = divide(x[0], x[1]);
  return integer(x, quotient - (wasRoundedUp(x[1], rest) ? 1 : 0));
}

Number RemOp::evaluate(Numbers x) {
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

Number FmodOp::evaluate(Numbers x) {
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
Number PowOp::evaluate(Numbers x) {
  if (!x[0].isReal()) {
    bool isNegative = !x[1].isUnsignedInteger() && x[1].getInteger() < 0;
    bool isUnit = x[0].getInteger() == 1 || x[0].getInteger() == -1;
    return integer(x,
                   isNegative && !isUnit ? 0 : power(bits(x[0]), bits(x[1])));
  }
  return real(x, std::pow(x[0].getReal(), x[1].getReal()));
}

/// lhs < rhs in the order of their type.
static bool isLess(Number lhs, Number rhs) {
  if (lhs.isReal())
    return lhs.getReal() < rhs.getReal();
  return lhs.isUnsignedInteger() ? bits(lhs) < bits(rhs)
                                 : lhs.getInteger() < rhs.getInteger();
}

/// The operand that is NaN, or nothing.
static const Number *findNaN(Numbers x) {
  for (const Number &number : x)
    if (number.isReal() && std::isnan(number.getReal()))
      return &number;
  return nullptr;
}

/// The larger of two that are not NaN. 0 counts as larger than -0.
static Number larger(Numbers x) {
  if (x[0].isReal() && x[0].getReal() == x[1].getReal())
    return std::signbit(x[0].getReal()) ? x[1] : x[0];
  return isLess(x[0], x[1]) ? x[1] : x[0];
}
static Number smaller(Numbers x) {
  if (x[0].isReal() && x[0].getReal() == x[1].getReal())
    return std::signbit(x[0].getReal()) ? x[0] : x[1];
  return isLess(x[1], x[0]) ? x[1] : x[0];
}

Number MaximumOp::evaluate(Numbers x) {
  const Number *nan = findNaN(x);
  return nan ? *nan : larger(x);
}
Number MinimumOp::evaluate(Numbers x) {
  const Number *nan = findNaN(x);
  return nan ? *nan : smaller(x);
}
/// The operand beside one that is NaN.
static Number besides(Numbers x, const Number *nan) {
  return nan == &x[0] ? x[1] : x[0];
}
Number FmaxOp::evaluate(Numbers x) {
  const Number *nan = findNaN(x);
  return nan ? besides(x, nan) : larger(x);
}
Number FminOp::evaluate(Numbers x) {
  const Number *nan = findNaN(x);
  return nan ? besides(x, nan) : smaller(x);
}

Number AndOp::evaluate(Numbers x) {
  return integer(x, bits(x[0]) & bits(x[1]));
}
Number OrOp::evaluate(Numbers x) { return integer(x, bits(x[0]) | bits(x[1])); }
Number XorOp::evaluate(Numbers x) {
  return integer(x, bits(x[0]) ^ bits(x[1]));
}

Number ShlOp::evaluate(Numbers x) {
  uint64_t count = x[1].getUnsigned();
  return integer(x, count < x[0].getWidth() ? bits(x[0]) << count : 0);
}
Number ShrOp::evaluate(Numbers x) {
  uint64_t count = x[1].getUnsigned();
  bool isSigned = x[0].getDType() != DType::Bool && !x[0].isUnsignedInteger();
  uint64_t width = x[0].getWidth();
  if (isSigned)
    return integer(x, x[0].getInteger() >> std::min(count, width - 1));
  return integer(x, count < width ? x[0].getUnsigned() >> count : 0);
}

Number CmpOp::evaluate(Numbers x) {
  bool isEqual = x[0].isReal() ? x[0].getReal() == x[1].getReal()
                               : bits(x[0]) == bits(x[1]);
  switch (getComparison()) {
  case Comparison::Eq:
    return Number::ofBool(isEqual);
  case Comparison::Ne:
    return Number::ofBool(!isEqual);
  case Comparison::Lt:
    return Number::ofBool(isLess(x[0], x[1]));
  case Comparison::Le:
    return Number::ofBool(isLess(x[0], x[1]) || isEqual);
  case Comparison::Gt:
    return Number::ofBool(isLess(x[1], x[0]));
  case Comparison::Ge:
    return Number::ofBool(isLess(x[1], x[0]) || isEqual);
  }
  llvm_unreachable("every comparison is covered");
}

Number SelectOp::evaluate(Numbers x) { return x[0].isTrue() ? x[1] : x[2]; }

Number CastOp::evaluate(Numbers x) {
  return x[0].cast(*getDType(getElementOrSelf(getResult().getType())),
                   getRounding());
}
