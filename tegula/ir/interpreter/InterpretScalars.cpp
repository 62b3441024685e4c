// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arith and math ops on scalars. What those dialects leave undefined is an
// error here, so that a wrong expansion of our own ops shows.

#include "tegula/ir/interpreter/Frame.h"
#include "tegula/ir/ops/PlDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

using Result = FailureOr<Scalar>;
using Scalars = ArrayRef<Scalar>;

namespace {

/// The rules by op. Integers are signless: each rule says how it reads them.
class Rules {
public:
  Rules() {
    addConstants();
    addIntegerArithmetic();
    addDivisions();
    addShifts();
    addFloatArithmetic();
    addMath();
    addConversions();
  }

  ScalarRule find(Operation *op) const {
    return rules.lookup(op->getName().getTypeID());
  }

private:
  template <typename Op> void add(ScalarRule rule) {
    rules[TypeID::get<Op>()] = rule;
  }

  void addConstants();
  void addIntegerArithmetic();
  void addDivisions();
  void addShifts();
  void addFloatArithmetic();
  void addMath();
  void addConversions();

  llvm::DenseMap<TypeID, ScalarRule> rules;
};

} // namespace

static DType resultType(Operation *op) {
  return *getDType(op->getResult(0).getType());
}
static Result integer(Operation *op, uint64_t value) {
  return Scalar::ofInteger(resultType(op), static_cast<int64_t>(value));
}
static Result real(Operation *op, double value) {
  return Scalar::ofReal(resultType(op), value);
}
static uint64_t bits(Scalar number) {
  return static_cast<uint64_t>(number.getInteger());
}

void Rules::addConstants() {
  add<arith::ConstantOp>([](Operation *op, Scalars) -> Result {
    Attribute value = cast<arith::ConstantOp>(op).getValue();
    if (auto number = dyn_cast<IntegerAttr>(value))
      return integer(op, number.getValue().getSExtValue());
    auto number = cast<FloatAttr>(value);
    return Scalar::ofBits(resultType(op),
                          number.getValue().bitcastToAPInt().getZExtValue());
  });
  add<arith::SelectOp>([](Operation *, Scalars x) -> Result {
    return x[0].isTrue() ? x[1] : x[2];
  });
}

static bool holds(arith::CmpIPredicate predicate, Scalar lhs, Scalar rhs) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return lhs.getSigned() == rhs.getSigned();
  case P::ne:
    return lhs.getSigned() != rhs.getSigned();
  case P::slt:
    return lhs.getSigned() < rhs.getSigned();
  case P::sle:
    return lhs.getSigned() <= rhs.getSigned();
  case P::sgt:
    return lhs.getSigned() > rhs.getSigned();
  case P::sge:
    return lhs.getSigned() >= rhs.getSigned();
  case P::ult:
    return lhs.getUnsigned() < rhs.getUnsigned();
  case P::ule:
    return lhs.getUnsigned() <= rhs.getUnsigned();
  case P::ugt:
    return lhs.getUnsigned() > rhs.getUnsigned();
  case P::uge:
    return lhs.getUnsigned() >= rhs.getUnsigned();
  }
  llvm_unreachable("every predicate is covered");
}

void Rules::addIntegerArithmetic() {
  add<arith::AddIOp>([](Operation *op, Scalars x) {
    return integer(op, bits(x[0]) + bits(x[1]));
  });
  add<arith::SubIOp>([](Operation *op, Scalars x) {
    return integer(op, bits(x[0]) - bits(x[1]));
  });
  add<arith::MulIOp>([](Operation *op, Scalars x) {
    return integer(op, bits(x[0]) * bits(x[1]));
  });
  add<arith::AndIOp>([](Operation *op, Scalars x) {
    return integer(op, bits(x[0]) & bits(x[1]));
  });
  add<arith::OrIOp>([](Operation *op, Scalars x) {
    return integer(op, bits(x[0]) | bits(x[1]));
  });
  add<arith::XOrIOp>([](Operation *op, Scalars x) {
    return integer(op, bits(x[0]) ^ bits(x[1]));
  });
  add<arith::MaxSIOp>([](Operation *, Scalars x) -> Result {
    return x[0].getSigned() < x[1].getSigned() ? x[1] : x[0];
  });
  add<arith::MinSIOp>([](Operation *, Scalars x) -> Result {
    return x[1].getSigned() < x[0].getSigned() ? x[1] : x[0];
  });
  add<arith::MaxUIOp>([](Operation *, Scalars x) -> Result {
    return x[0].getUnsigned() < x[1].getUnsigned() ? x[1] : x[0];
  });
  add<arith::MinUIOp>([](Operation *, Scalars x) -> Result {
    return x[1].getUnsigned() < x[0].getUnsigned() ? x[1] : x[0];
  });
  add<math::AbsIOp>([](Operation *op, Scalars x) {
    return integer(op, x[0].getSigned() < 0 ? -bits(x[0]) : bits(x[0]));
  });
  add<arith::CmpIOp>([](Operation *op, Scalars x) -> Result {
    return Scalar::ofBool(
        holds(cast<arith::CmpIOp>(op).getPredicate(), x[0], x[1]));
  });
}

/// Fails if a signed division is undefined: by 0, or beyond the type.
static LogicalResult checkSigned(Operation *op, Scalars x) {
  if (!x[1].isTrue())
    return op->emitError("division of ") << x[0].getSigned() << " by 0";
  IntegerRange range = getIntegerRange(x[0].getDType());
  if (x[1].getSigned() == -1 && x[0].getSigned() == range.low)
    return op->emitError("quotient of ")
           << x[0].getSigned() << " and -1 does not fit "
           << op->getResult(0).getType();
  return success();
}

template <typename Divide>
static Result divideSigned(Operation *op, Scalars x, Divide divide) {
  if (failed(checkSigned(op, x)))
    return failure();
  return integer(op, divide(x[0].getSigned(), x[1].getSigned()));
}

template <typename Divide>
static Result divideUnsigned(Operation *op, Scalars x, Divide divide) {
  if (!x[1].isTrue())
    return op->emitError("division of ") << x[0].getUnsigned() << " by 0";
  return integer(op, divide(x[0].getUnsigned(), x[1].getUnsigned()));
}

void Rules::addDivisions() {
  add<arith::DivSIOp>([](Operation *op, Scalars x) {
    return divideSigned(op, x, [](int64_t a, int64_t b) { return a / b; });
  });
  add<arith::RemSIOp>([](Operation *op, Scalars x) {
    return divideSigned(op, x, [](int64_t a, int64_t b) { return a % b; });
  });
  add<arith::FloorDivSIOp>([](Operation *op, Scalars x) {
    return divideSigned(op, x, [](int64_t a, int64_t b) {
      return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    });
  });
  add<arith::CeilDivSIOp>([](Operation *op, Scalars x) {
    return divideSigned(op, x, [](int64_t a, int64_t b) {
      return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
    });
  });
  add<arith::DivUIOp>([](Operation *op, Scalars x) {
    return divideUnsigned(op, x, [](uint64_t a, uint64_t b) { return a / b; });
  });
  add<arith::RemUIOp>([](Operation *op, Scalars x) {
    return divideUnsigned(op, x, [](uint64_t a, uint64_t b) { return a % b; });
  });
  add<arith::CeilDivUIOp>([](Operation *op, Scalars x) {
    return divideUnsigned(op, x, [](uint64_t a, uint64_t b) {
      return a / b + (a % b != 0 ? 1 : 0);
    });
  });
}

template <typename Shift>
static Result shift(Operation *op, Scalars x, Shift shiftBy) {
  if (x[1].getUnsigned() >= x[0].getWidth())
    return op->emitError("shift of ")
           << x[0].getWidth() << " bits by " << x[1].getUnsigned();
  return integer(op, shiftBy(x[0], x[1].getUnsigned()));
}

void Rules::addShifts() {
  add<arith::ShLIOp>([](Operation *op, Scalars x) {
    return shift(op, x, [](Scalar v, uint64_t n) { return bits(v) << n; });
  });
  add<arith::ShRSIOp>([](Operation *op, Scalars x) {
    return shift(op, x, [](Scalar v, uint64_t n) {
      return static_cast<uint64_t>(v.getSigned() >> n);
    });
  });
  add<arith::ShRUIOp>([](Operation *op, Scalars x) {
    return shift(op, x,
                 [](Scalar v, uint64_t n) { return v.getUnsigned() >> n; });
  });
}

static bool holds(arith::CmpFPredicate predicate, double lhs, double rhs) {
  using P = arith::CmpFPredicate;
  bool isUnordered = std::isnan(lhs) || std::isnan(rhs);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !isUnordered;
  case P::UNO:
    return isUnordered;
  case P::OEQ:
    return lhs == rhs;
  case P::UEQ:
    return isUnordered || lhs == rhs;
  case P::OGT:
    return lhs > rhs;
  case P::UGT:
    return isUnordered || lhs > rhs;
  case P::OGE:
    return lhs >= rhs;
  case P::UGE:
    return isUnordered || lhs >= rhs;
  case P::OLT:
    return lhs < rhs;
  case P::ULT:
    return isUnordered || lhs < rhs;
  case P::OLE:
    return lhs <= rhs;
  case P::ULE:
    return isUnordered || lhs <= rhs;
  case P::ONE:
    return !isUnordered && lhs != rhs;
  case P::UNE:
    return isUnordered || lhs != rhs;
  }
  llvm_unreachable("every predicate is covered");
}

/// The larger, where 0 is larger than -0.
static double larger(double a, double b) {
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
static double smaller(double a, double b) { return -larger(-a, -b); }
static double nanOr(double a, double b, double otherwise) {
  return std::isnan(a) ? a : std::isnan(b) ? b : otherwise;
}
static double numberOr(double a, double b, double otherwise) {
  return std::isnan(a) ? b : std::isnan(b) ? a : otherwise;
}

void Rules::addFloatArithmetic() {
  add<arith::AddFOp>([](Operation *op, Scalars x) {
    return real(op, x[0].getReal() + x[1].getReal());
  });
  add<arith::SubFOp>([](Operation *op, Scalars x) {
    return real(op, x[0].getReal() - x[1].getReal());
  });
  add<arith::MulFOp>([](Operation *op, Scalars x) {
    return real(op, x[0].getReal() * x[1].getReal());
  });
  add<arith::DivFOp>([](Operation *op, Scalars x) {
    return real(op, x[0].getReal() / x[1].getReal());
  });
  add<arith::RemFOp>([](Operation *op, Scalars x) {
    return real(op, std::fmod(x[0].getReal(), x[1].getReal()));
  });
  add<arith::NegFOp>(
      [](Operation *op, Scalars x) { return real(op, -x[0].getReal()); });
  add<arith::MaximumFOp>([](Operation *op, Scalars x) {
    double a = x[0].getReal(), b = x[1].getReal();
    return real(op, nanOr(a, b, larger(a, b)));
  });
  add<arith::MinimumFOp>([](Operation *op, Scalars x) {
    double a = x[0].getReal(), b = x[1].getReal();
    return real(op, nanOr(a, b, smaller(a, b)));
  });
  add<arith::MaxNumFOp>([](Operation *op, Scalars x) {
    double a = x[0].getReal(), b = x[1].getReal();
    return real(op, numberOr(a, b, larger(a, b)));
  });
  add<arith::MinNumFOp>([](Operation *op, Scalars x) {
    double a = x[0].getReal(), b = x[1].getReal();
    return real(op, numberOr(a, b, smaller(a, b)));
  });
  add<arith::CmpFOp>([](Operation *op, Scalars x) -> Result {
    return Scalar::ofBool(holds(cast<arith::CmpFOp>(op).getPredicate(),
                                x[0].getReal(), x[1].getReal()));
  });
}

/// The rule of a function of one real, computed in double.
template <double (*function)(double)>
static Result unary(Operation *op, Scalars x) {
  return real(op, function(x[0].getReal()));
}
static double reciprocalRoot(double x) { return 1 / std::sqrt(x); }
static double nearestEven(double x) {
  return roundToIntegral(x, Rounding::Rint);
}

void Rules::addMath() {
  add<math::AbsFOp>(unary<std::fabs>);
  add<math::ExpOp>(unary<std::exp>);
  add<math::Exp2Op>(unary<std::exp2>);
  add<math::LogOp>(unary<std::log>);
  add<math::SqrtOp>(unary<std::sqrt>);
  add<math::RsqrtOp>(unary<reciprocalRoot>);
  add<math::SinOp>(unary<std::sin>);
  add<math::CosOp>(unary<std::cos>);
  add<math::TanhOp>(unary<std::tanh>);
  add<math::ErfOp>(unary<std::erf>);
  add<math::FloorOp>(unary<std::floor>);
  add<math::CeilOp>(unary<std::ceil>);
  add<math::RoundOp>(unary<std::round>);
  add<math::TruncOp>(unary<std::trunc>);
  add<math::RoundEvenOp>(unary<nearestEven>);
  add<math::PowFOp>([](Operation *op, Scalars x) {
    return real(op, std::pow(x[0].getReal(), x[1].getReal()));
  });
  add<math::CopySignOp>([](Operation *op, Scalars x) {
    return real(op, std::copysign(x[0].getReal(), x[1].getReal()));
  });
  add<math::FmaOp>([](Operation *op, Scalars x) {
    return real(op, std::fma(x[0].getReal(), x[1].getReal(), x[2].getReal()));
  });
}

/// Fails where the truncated value does not fit the integer type.
static Result toInteger(Operation *op, Scalar x, bool readsUnsigned) {
  double value = std::trunc(x.getReal());
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  double above = std::ldexp(1.0, readsUnsigned ? width : width - 1);
  double lowest = readsUnsigned ? 0 : -above;
  bool fits = value >= lowest && value < above; // NaN does not
  if (!fits)
    return op->emitError("value ")
           << x.getReal() << " does not fit " << op->getResult(0).getType();
  return integer(op, readsUnsigned
                         ? static_cast<uint64_t>(value)
                         : static_cast<uint64_t>(static_cast<int64_t>(value)));
}

void Rules::addConversions() {
  ScalarRule signExtend = [](Operation *op, Scalars x) {
    return integer(op, static_cast<uint64_t>(x[0].getSigned()));
  };
  ScalarRule zeroExtend = [](Operation *op, Scalars x) {
    return integer(op, x[0].getUnsigned());
  };
  ScalarRule convertFloat = [](Operation *op, Scalars x) {
    return real(op, x[0].getReal());
  };
  add<arith::ExtSIOp>(signExtend);
  add<arith::TruncIOp>(signExtend);
  add<arith::IndexCastOp>(signExtend);
  add<arith::ExtUIOp>(zeroExtend);
  add<arith::IndexCastUIOp>(zeroExtend);
  add<arith::ExtFOp>(convertFloat);
  add<arith::TruncFOp>(convertFloat);
  add<arith::SIToFPOp>([](Operation *op, Scalars x) -> Result {
    return Scalar::ofInteger(DType::Int64, x[0].getSigned())
        .cast(resultType(op), Rounding::None);
  });
  add<arith::UIToFPOp>([](Operation *op, Scalars x) -> Result {
    return Scalar::ofInteger(DType::UInt64,
                             static_cast<int64_t>(x[0].getUnsigned()))
        .cast(resultType(op), Rounding::None);
  });
  add<arith::FPToSIOp>([](Operation *op, Scalars x) {
    return toInteger(op, x[0], /*readsUnsigned=*/false);
  });
  add<arith::FPToUIOp>([](Operation *op, Scalars x) {
    return toInteger(op, x[0], /*readsUnsigned=*/true);
  });
  add<arith::BitcastOp>([](Operation *op, Scalars x) -> Result {
    return Scalar::ofBits(resultType(op), x[0].getBits());
  });
}

ScalarRule tegula::pl::findScalarRule(Operation *op) {
  static const Rules rules;
  return rules.find(op);
}
