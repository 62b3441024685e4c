// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elementwise ops on one element, in terms of arith and math.

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tegula::pl;

namespace {

/// Builds the ops of one element. Floats narrower than FP32 are computed in
/// FP32 and rounded once, at the end.
struct ScalarBuilder {
  ScalarBuilder(OpBuilder &builder, Operation *op)
      : builder(builder), loc(op->getLoc()),
        element(getElementOrSelf(op->getOperand(0).getType())) {}

  bool onFloats() const { return isFloat(element); }
  bool onUnsigned() const { return isUnsigned(element); }
  bool isNarrow() const { return isNarrowFloat(element); }

  Value widen(Value value) {
    if (!isNarrow())
      return value;
    return arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
  }
  Value narrow(Value value) {
    if (!isNarrow())
      return value;
    return arith::TruncFOp::create(builder, loc, element, value);
  }

  template <typename FloatOp> Value floats(ValueRange operands) {
    SmallVector<Value> wide =
        llvm::map_to_vector(operands, [&](Value v) { return widen(v); });
    return narrow(FloatOp::create(builder, loc, wide.front().getType(), wide)
                      ->getResult(0));
  }

  template <typename Op> Value make(ValueRange operands) {
    return Op::create(builder, loc, operands.front().getType(), operands)
        ->getResult(0);
  }

  template <typename FloatOp, typename SignedOp, typename UnsignedOp>
  Value byType(ValueRange operands) {
    if (onFloats())
      return floats<FloatOp>(operands);
    return onUnsigned() ? make<UnsignedOp>(operands) : make<SignedOp>(operands);
  }

  Value constant(Value like, double number) {
    Type type = like.getType();
    TypedAttr attribute =
        isa<FloatType>(type)
            ? TypedAttr(FloatAttr::get(type, number))
            : TypedAttr(IntegerAttr::get(type, static_cast<int64_t>(number)));
    return arith::ConstantOp::create(builder, loc, attribute);
  }

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(builder, loc, condition, lhs, rhs);
  }

  /// `Op(lhs, rhs)` where it is defined, and 0 where rhs is 0. Also keeps the
  /// lowest value divided by -1 from trapping: that wraps.
  template <typename Op> Value divide(Value lhs, Value rhs) {
    Value zero = constant(rhs, 0), one = constant(rhs, 1);
    Value isZero = compare(arith::CmpIPredicate::eq, rhs, zero);
    Value safe = select(isZero, one, rhs);
    if (onUnsigned())
      return select(isZero, zero, make<Op>({lhs, safe}));
    Value isMinusOne =
        compare(arith::CmpIPredicate::eq, rhs, constant(rhs, -1));
    safe = select(isMinusOne, one, safe);
    Value result = make<Op>({lhs, safe});
    return select(isZero, zero, result);
  }

  OpBuilder &builder;
  Location loc;
  Type element;
};

} // namespace

Value NegOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  if (on.onFloats())
    return on.floats<arith::NegFOp>(scalars);
  return on.make<arith::SubIOp>({on.constant(scalars[0], 0), scalars[0]});
}

Value AbsOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  if (on.onUnsigned())
    return scalars[0];
  return on.onFloats() ? on.floats<math::AbsFOp>(scalars)
                       : on.make<math::AbsIOp>(scalars);
}

Value ExpOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::ExpOp>(scalars);
}
Value LogOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::LogOp>(scalars);
}
Value SqrtOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::SqrtOp>(scalars);
}
Value SinOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::SinOp>(scalars);
}
Value CosOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::CosOp>(scalars);
}
Value TanhOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::TanhOp>(scalars);
}
Value ErfOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::ErfOp>(scalars);
}
Value FloorOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::FloorOp>(scalars);
}
Value CeilOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::CeilOp>(scalars);
}
Value TruncOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::TruncOp>(scalars);
}
Value RoundOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).floats<math::RoundEvenOp>(scalars);
}
/// The product of base ** (2 ** k) for the bits k of the exponent that are set.
static Value buildIntegerPower(ScalarBuilder &on, Value base, Value exponent) {
  using Predicate = arith::CmpIPredicate;
  unsigned width = base.getType().getIntOrFloatBitWidth();
  unsigned numBits = on.onUnsigned() ? width : width - 1;
  Value zero = on.constant(base, 0), one = on.constant(base, 1);
  Value factor = base, rest = exponent, result = one;
  for (unsigned bit = 0; bit < numBits; ++bit) {
    Value isSet =
        on.compare(Predicate::ne, on.make<arith::AndIOp>({rest, one}), zero);
    result = on.select(isSet, on.make<arith::MulIOp>({result, factor}), result);
    factor = on.make<arith::MulIOp>({factor, factor});
    rest = on.make<arith::ShRUIOp>({rest, one});
  }
  if (on.onUnsigned())
    return result;
  Value isUnit = on.make<arith::OrIOp>(
      {on.compare(Predicate::eq, base, one),
       on.compare(Predicate::eq, base, on.constant(base, -1))});
  Value isDefined = on.make<arith::OrIOp>(
      {isUnit, on.compare(Predicate::sge, exponent, zero)});
  return on.select(isDefined, result, zero);
}

Value PowOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  return on.onFloats() ? on.floats<math::PowFOp>(scalars)
                       : buildIntegerPower(on, scalars[0], scalars[1]);
}

Value RsqrtOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  Value root = on.make<math::SqrtOp>({on.widen(scalars[0])});
  return on.narrow(on.make<arith::DivFOp>({on.constant(root, 1), root}));
}

Value RecipOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  Value wide = on.widen(scalars[0]);
  return on.narrow(on.make<arith::DivFOp>({on.constant(wide, 1), wide}));
}

Value ReluOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  if (on.onUnsigned())
    return scalars[0];
  Value zero = on.constant(scalars[0], 0);
  return on.byType<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(
      {scalars[0], zero});
}

Value NotOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  return on.make<arith::XOrIOp>({scalars[0], on.constant(scalars[0], -1)});
}

Value AddOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this)
      .byType<arith::AddFOp, arith::AddIOp, arith::AddIOp>(scalars);
}
Value SubOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this)
      .byType<arith::SubFOp, arith::SubIOp, arith::SubIOp>(scalars);
}
Value MulOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this)
      .byType<arith::MulFOp, arith::MulIOp, arith::MulIOp>(scalars);
}
Value MaximumOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this)
      .byType<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(scalars);
}
Value MinimumOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this)
      .byType<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(scalars);
}
Value FmaxOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this)
      .byType<arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(scalars);
}
Value FminOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this)
      .byType<arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp>(scalars);
}
Value AndOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).make<arith::AndIOp>(scalars);
}
Value OrOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).make<arith::OrIOp>(scalars);
}
Value XorOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return ScalarBuilder(builder, *this).make<arith::XOrIOp>(scalars);
}

Value DivOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  if (on.onFloats())
    return on.floats<arith::DivFOp>(scalars);
  if (on.onUnsigned())
    return on.divide<arith::DivUIOp>(scalars[0], scalars[1]);
  Value quotient = on.divide<arith::FloorDivSIOp>(scalars[0], scalars[1]);
  Value isMinusOne = on.compare(arith::CmpIPredicate::eq, scalars[1],
                                on.constant(scalars[1], -1));
  Value negated =
      on.make<arith::SubIOp>({on.constant(scalars[0], 0), scalars[0]});
  return on.select(isMinusOne, negated, quotient);
}

Value RemOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  if (on.onUnsigned())
    return on.divide<arith::RemUIOp>(scalars[0], scalars[1]);
  Location loc = getLoc();
  Value lhs = on.widen(scalars[0]), rhs = on.widen(scalars[1]);
  Value zero = on.constant(rhs, 0);
  Value rest, isOff;
  // The remainder is off by one divisor where it is not zero and its sign is
  // not the divisor's. A zero takes the divisor's sign.
  if (on.onFloats()) {
    using Predicate = arith::CmpFPredicate;
    rest = arith::RemFOp::create(builder, loc, lhs, rhs);
    Value isZero =
        arith::CmpFOp::create(builder, loc, Predicate::OEQ, rest, zero);
    Value restNegative =
        arith::CmpFOp::create(builder, loc, Predicate::OLT, rest, zero);
    Value rhsNegative =
        arith::CmpFOp::create(builder, loc, Predicate::OLT, rhs, zero);
    isOff = arith::XOrIOp::create(builder, loc, restNegative, rhsNegative);
    Value moved = arith::AddFOp::create(builder, loc, rest, rhs);
    Value signedZero = math::CopySignOp::create(builder, loc, zero, rhs);
    return on.narrow(
        on.select(isZero, signedZero, on.select(isOff, moved, rest)));
  }
  rest = on.divide<arith::RemSIOp>(lhs, rhs);
  using Predicate = arith::CmpIPredicate;
  Value isNonZero = on.compare(Predicate::ne, rest, zero);
  Value differs =
      on.make<arith::XOrIOp>({on.compare(Predicate::slt, rest, zero),
                              on.compare(Predicate::slt, rhs, zero)});
  isOff = on.make<arith::AndIOp>({isNonZero, differs});
  return on.select(isOff, on.make<arith::AddIOp>({rest, rhs}), rest);
}

Value FmodOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  if (on.onFloats())
    return on.floats<arith::RemFOp>(scalars);
  return on.onUnsigned() ? on.divide<arith::RemUIOp>(scalars[0], scalars[1])
                         : on.divide<arith::RemSIOp>(scalars[0], scalars[1]);
}

/// Shifts by the width or more are defined: `outside` says to what.
template <typename Op>
static Value buildShift(ScalarBuilder &on, Value value, Value count,
                        bool clampsCount) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  Value last = on.constant(count, width - 1);
  Value isOutside = on.compare(arith::CmpIPredicate::ugt, count, last);
  Value safe = on.select(isOutside, last, count);
  Value shifted = on.make<Op>({value, safe});
  return clampsCount ? shifted
                     : on.select(isOutside, on.constant(value, 0), shifted);
}

Value ShlOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  return buildShift<arith::ShLIOp>(on, scalars[0], scalars[1],
                                   /*clampsCount=*/false);
}

Value ShrOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  if (on.onUnsigned() || isBool(on.element))
    return buildShift<arith::ShRUIOp>(on, scalars[0], scalars[1],
                                      /*clampsCount=*/false);
  return buildShift<arith::ShRSIOp>(on, scalars[0], scalars[1],
                                    /*clampsCount=*/true);
}

Value CmpOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  ScalarBuilder on(builder, *this);
  auto number = static_cast<unsigned>(getComparison());
  if (on.onFloats()) {
    using P = arith::CmpFPredicate;
    constexpr P predicates[] = {P::OEQ, P::UNE, P::OLT, P::OLE, P::OGT, P::OGE};
    return arith::CmpFOp::create(builder, getLoc(), predicates[number],
                                 on.widen(scalars[0]), on.widen(scalars[1]));
  }
  using P = arith::CmpIPredicate;
  constexpr P onSigned[] = {P::eq, P::ne, P::slt, P::sle, P::sgt, P::sge};
  constexpr P onUnsigned[] = {P::eq, P::ne, P::ult, P::ule, P::ugt, P::uge};
  bool isUnsignedLike = on.onUnsigned() || isBool(on.element);
  return on.compare(isUnsignedLike ? onUnsigned[number] : onSigned[number],
                    scalars[0], scalars[1]);
}

Value SelectOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  return arith::SelectOp::create(builder, getLoc(), scalars[0], scalars[1],
                                 scalars[2]);
}
