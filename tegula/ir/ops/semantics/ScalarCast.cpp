// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.cast on one element: conversions with a rounding mode.

#include "tegula/ir/interpreter/EightBitFloat.h"
#include "tegula/ir/interpreter/IntegerBits.h"
#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace tegula::pl;

namespace {

/// One conversion. Integer types are as in the IR (unsigned ones
/// are ui8, ...); the values are signless.
struct CastBuilder {
  Value constant(Type type, double number) {
    if (isa<FloatType>(type))
      return arith::ConstantOp::create(builder, loc,
                                       FloatAttr::get(type, number));
    return arith::ConstantOp::create(
        builder, loc, IntegerAttr::get(type, static_cast<int64_t>(number)));
  }
  static Type signless(Type type) {
    auto integer = dyn_cast<IntegerType>(type);
    return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                   : type;
  }
  static unsigned width(Type type) { return type.getIntOrFloatBitWidth(); }

  Value extend(Value value, Type type) {
    return width(value.getType()) < width(type)
               ? arith::ExtFOp::create(builder, loc, type, value).getResult()
               : value;
  }

  Value roundToIntegral(Value value, Rounding mode);
  Value toBool(Value value, Type from);
  Value floatToInt(Value value, Type to, Rounding mode);
  Value intToInt(Value value, Type from, Type to);
  Value foldLowBits(Value value, Type from);
  Value intToDouble(Value value, Type from, Rounding mode);
  Value intToFloat(Value value, Type from, Type to, Rounding mode);
  Value floatToFloat(Value value, Type to, Rounding mode);
  Value awayToBf16(Value value);

  OpBuilder &builder;
  Location loc;
};

} // namespace

Value CastBuilder::roundToIntegral(Value value, Rounding mode) {
  switch (mode) {
  case Rounding::Rint:
    return math::RoundEvenOp::create(builder, loc, value);
  case Rounding::Round:
    return math::RoundOp::create(builder, loc, value);
  case Rounding::Floor:
    return math::FloorOp::create(builder, loc, value);
  case Rounding::Ceil:
    return math::CeilOp::create(builder, loc, value);
  case Rounding::None:
  case Rounding::Trunc:
  case Rounding::Odd:
    return math::TruncOp::create(builder, loc, value);
  }
  llvm_unreachable("every rounding is covered");
}

Value CastBuilder::toBool(Value value, Type from) {
  Value zero = constant(value.getType(), 0);
  if (isFloat(from))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, value,
                                 zero);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                               zero);
}

/// Rounds, saturates, and turns NaN into 0, with no undefined conversion.
Value CastBuilder::floatToInt(Value value, Type to, Rounding mode) {
  Type wide = width(value.getType()) <= 32 && width(to) <= 16
                  ? Type(builder.getF32Type())
                  : Type(builder.getF64Type());
  Value rounded = roundToIntegral(extend(value, wide), mode);
  Type result = signless(to);
  unsigned bits = width(to) - (isUnsigned(to) ? 0 : 1);
  double above = std::ldexp(1.0, bits); // the first value that does not fit
  double lowest = isUnsigned(to) ? 0.0 : -above;
  Value isHigh = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE,
                                       rounded, constant(wide, above));
  Value isLow = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                      rounded, constant(wide, lowest));
  Value isNumeric = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ORD, rounded, rounded);
  Value isOutside = arith::OrIOp::create(builder, loc, isHigh, isLow);
  Value isInside = arith::AndIOp::create(
      builder, loc, isNumeric,
      arith::XOrIOp::create(
          builder, loc, isOutside,
          arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1)));
  Value safe = arith::SelectOp::create(builder, loc, isInside, rounded,
                                       constant(wide, 0));
  Type middle = width(to) < 8 ? Type(builder.getI32Type()) : result;
  Value converted =
      isUnsigned(to)
          ? arith::FPToUIOp::create(builder, loc, middle, safe).getResult()
          : arith::FPToSIOp::create(builder, loc, middle, safe).getResult();
  if (middle != result)
    converted = arith::TruncIOp::create(builder, loc, result, converted);
  llvm::APInt highest = isUnsigned(to)
                            ? llvm::APInt::getMaxValue(width(to))
                            : llvm::APInt::getSignedMaxValue(width(to));
  llvm::APInt least = isUnsigned(to)
                          ? llvm::APInt::getMinValue(width(to))
                          : llvm::APInt::getSignedMinValue(width(to));
  auto end = [&](const llvm::APInt &number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     IntegerAttr::get(result, number));
  };
  converted =
      arith::SelectOp::create(builder, loc, isHigh, end(highest), converted);
  return arith::SelectOp::create(builder, loc, isLow, end(least), converted);
}

Value CastBuilder::intToInt(Value value, Type from, Type to) {
  Type result = signless(to);
  if (width(from) == width(to))
    return value;
  if (width(from) > width(to))
    return arith::TruncIOp::create(builder, loc, result, value);
  if (isUnsigned(from) || isBool(from))
    return arith::ExtUIOp::create(builder, loc, result, value);
  return arith::ExtSIOp::create(builder, loc, result, value);
}

/// Beyond 2^53 the bits of a 64-bit integer that FP64 cannot hold are folded
/// into one that it can, so that they still break ties of a narrower type.
Value CastBuilder::foldLowBits(Value value, Type from) {
  Type type = value.getType();
  auto integer = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     IntegerAttr::get(type, number));
  };
  constexpr int64_t lowBits = 0xfff, exact = int64_t(1) << 53;
  // -2^53 <= value <= 2^53, or the upper half of that for unsigned values.
  Value moved = isUnsigned(from) ? value
                                 : arith::AddIOp::create(builder, loc, value,
                                                         integer(exact));
  Value isExact =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, moved,
                            integer(isUnsigned(from) ? exact : 2 * exact));
  Value low = arith::AndIOp::create(builder, loc, value, integer(lowBits));
  Value high = arith::AndIOp::create(builder, loc, value, integer(~lowBits));
  Value hasLow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       low, integer(0));
  Value folded =
      arith::OrIOp::create(builder, loc, high,
                           arith::SelectOp::create(builder, loc, hasLow,
                                                   integer(0x800), integer(0)));
  return arith::SelectOp::create(builder, loc, isExact, value, folded);
}

/// A 64-bit integer as FP64: the magnitude without the bits that FP64 cannot
/// hold, plus one step where the mode asks for it, times a power of two.
Value CastBuilder::intToDouble(Value value, Type from, Rounding mode) {
  using P = arith::CmpIPredicate;
  IntegerBits on(builder, loc, value.getType());
  Type i64 = value.getType(), f64 = builder.getF64Type();
  Value zero = on.constant(value, 0);
  // No unsigned number is below 0.
  Value isNegative =
      on.compare(isUnsigned(from) ? P::ult : P::slt, value, zero);
  Value magnitude =
      on.select(isNegative, on.make<arith::SubIOp>(zero, value), value);
  // The upper 53 bits are exact, so their exponent is that of the magnitude.
  Value upper =
      on.to<arith::UIToFPOp>(f64, on.make<arith::AndIOp>(magnitude, ~0x7ff));
  Value exponent =
      on.make<arith::ShRUIOp>(on.to<arith::BitcastOp>(i64, upper), 52);
  Value lost =
      on.make<arith::MaxSIOp>(on.make<arith::SubIOp>(exponent, 1023 + 52), 0);
  Value kept = on.make<arith::ShRUIOp>(magnitude, lost);
  Value rest =
      on.make<arith::SubIOp>(magnitude, on.make<arith::ShLIOp>(kept, lost));
  Value step = on.constant(value, 0);
  Value one = on.constant(value, 1);
  Value isInexact = on.compare(P::ne, rest, 0);
  if (mode == Rounding::Round)
    // At least half: twice the rest is at least the unit, and inexact.
    step = on.select(
        on.make<arith::AndIOp>(
            isInexact, on.compare(P::uge, on.make<arith::AddIOp>(rest, rest),
                                  on.make<arith::ShLIOp>(one, lost))),
        one, step);
  else if (mode == Rounding::Floor)
    step = on.select(on.make<arith::AndIOp>(isInexact, isNegative), one, step);
  else if (mode == Rounding::Ceil)
    step = on.select(on.make<arith::AndIOp>(
                         isInexact, on.make<arith::XOrIOp>(isNegative, 1)),
                     one, step);
  Value whole = on.to<arith::UIToFPOp>(f64, on.make<arith::AddIOp>(kept, step));
  Value scale = on.to<arith::BitcastOp>(
      f64, on.make<arith::ShLIOp>(on.make<arith::AddIOp>(lost, 1023), 52));
  Value result = arith::MulFOp::create(builder, loc, whole, scale);
  return on.select(isNegative, arith::NegFOp::create(builder, loc, result),
                   result);
}

/// Rounds once: the first step is to a float that holds the integer, or enough
/// of it for the second step to round it as if it did.
Value CastBuilder::intToFloat(Value value, Type from, Type to, Rounding mode) {
  bool isNearest = mode == Rounding::None || mode == Rounding::Rint;
  unsigned precision = cast<FloatType>(to).getFPMantissaWidth();
  bool isOneStep =
      !isNarrowFloat(to) && (isNearest || width(from) <= precision);
  if (!isOneStep && width(to) == 64)
    return intToDouble(value, from, mode);
  Type middle = isOneStep          ? to
                : width(from) > 16 ? Type(builder.getF64Type())
                                   : Type(builder.getF32Type());
  // The others overflow long before FP64 is inexact.
  if (!isOneStep && width(from) == 64 && isa<BFloat16Type, Float32Type>(to))
    value = foldLowBits(value, from);
  bool isNatural = isUnsigned(from) || isBool(from);
  if (width(from) == 4)
    value = intToInt(value, from, builder.getI32Type());
  Value converted =
      isNatural
          ? arith::UIToFPOp::create(builder, loc, middle, value).getResult()
          : arith::SIToFPOp::create(builder, loc, middle, value).getResult();
  return middle == to ? converted : floatToFloat(converted, to, mode);
}

namespace {

/// A float rounded to the nearest narrower one, by bits, to be moved by one
/// place where the mode asks for another neighbour.
class NearestFloat {
public:
  NearestFloat(CastBuilder &at, Value value, Value nearest)
      : at(at), builder(at.builder), loc(at.loc), value(value),
        back(arith::ExtFOp::create(builder, loc, value.getType(), nearest)),
        bits(IntegerType::get(value.getContext(),
                              CastBuilder::width(nearest.getType()))),
        narrow(nearest.getType()),
        pattern(arith::BitcastOp::create(builder, loc, bits, nearest)) {
    Value zero = at.constant(value.getType(), 0);
    isTooLow = compare(P::OLT, back, value);
    isTooHigh = compare(P::OGT, back, value);
    isNegative = compare(P::OLT, value, zero);
    isPositive = compare(P::OGT, value, zero);
  }

  Value get() {
    return arith::BitcastOp::create(builder, loc, narrow, pattern);
  }

  void roundDown() {
    step(both(isTooHigh, isPositive), -1);
    step(both(isTooHigh, isNegative), 1);
  }
  void roundUp() {
    step(both(isTooLow, isPositive), 1);
    step(both(isTooLow, isNegative), -1);
  }
  void roundTowardZero() {
    step(both(isTooHigh, isPositive), -1);
    step(both(isTooLow, isNegative), -1);
  }
  /// Truncates, and sets the last bit where anything was lost.
  void roundToOdd() {
    roundTowardZero();
    Value isInexact = arith::OrIOp::create(builder, loc, isTooLow, isTooHigh);
    Value odd =
        arith::OrIOp::create(builder, loc, pattern, at.constant(bits, 1));
    pattern = arith::SelectOp::create(builder, loc, isInexact, odd, pattern);
  }
  /// A tie went to even; away from zero is the neighbour exactly as far off.
  void moveTiesAwayFromZero() {
    Value next =
        arith::AddIOp::create(builder, loc, pattern, at.constant(bits, 1));
    Value stepped = arith::BitcastOp::create(builder, loc, narrow, next);
    Value neighbour =
        arith::ExtFOp::create(builder, loc, value.getType(), stepped);
    Value low = arith::SubFOp::create(builder, loc, value, back);
    Value high = arith::SubFOp::create(builder, loc, neighbour, value);
    Value isNearerZero =
        compare(P::OLT, math::AbsFOp::create(builder, loc, back),
                math::AbsFOp::create(builder, loc, value));
    Value isTie = both(isNearerZero, compare(P::OEQ, low, high));
    pattern = arith::SelectOp::create(builder, loc, isTie, next, pattern);
  }

private:
  using P = arith::CmpFPredicate;

  Value compare(P predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value both(Value lhs, Value rhs) {
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  }
  /// One place up or down in the order of the bits, where `which` holds.
  void step(Value which, int64_t by) {
    Value moved =
        arith::AddIOp::create(builder, loc, pattern, at.constant(bits, by));
    pattern = arith::SelectOp::create(builder, loc, which, moved, pattern);
  }

  CastBuilder &at;
  OpBuilder &builder;
  Location loc;
  Value value, back;
  Type bits, narrow;
  Value pattern, isTooLow, isTooHigh, isNegative, isPositive;
};

} // namespace

/// BF16 is the upper half of FP32: half of its last place added to the bits
/// moves ties away from zero. NaN has no such places.
Value CastBuilder::awayToBf16(Value value) {
  Type word = builder.getI32Type(), half = builder.getIntegerType(16);
  constexpr int64_t halfUlp = 0x8000, nan = 0x7fc0, bits = 16;
  Value pattern = arith::BitcastOp::create(builder, loc, word, value);
  pattern =
      arith::AddIOp::create(builder, loc, pattern, constant(word, halfUlp));
  pattern = arith::ShRUIOp::create(builder, loc, pattern, constant(word, bits));
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      value, value);
  pattern = arith::SelectOp::create(builder, loc, isNan, constant(word, nan),
                                    pattern);
  return arith::BitcastOp::create(
      builder, loc, builder.getBF16Type(),
      arith::TruncIOp::create(builder, loc, half, pattern));
}

/// Nearest is the machine's own; the other modes start from it.
Value CastBuilder::floatToFloat(Value value, Type to, Rounding mode) {
  Type from = value.getType();
  if (from == to)
    return value;
  if (width(to) > width(from))
    return arith::ExtFOp::create(builder, loc, to, value);
  if (width(to) == width(from)) { // f16 <-> bf16, and the two of 8 bits
    Value wide =
        arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    return floatToFloat(wide, to, mode);
  }
  if (mode == Rounding::None || mode == Rounding::Rint)
    return arith::TruncFOp::create(builder, loc, to, value);
  if (isEightBitFloat(to)) {
    Type f32 = builder.getF32Type();
    Value middle = width(from) < 32 ? extend(value, f32)
                                    : floatToFloat(value, f32, Rounding::Odd);
    Value bits = buildEightBits(builder, loc, middle, to, mode);
    return arith::BitcastOp::create(builder, loc, to, bits);
  }
  if (mode == Rounding::Round && to.isBF16() && from.isF32())
    return awayToBf16(value);
  Value nearest = arith::TruncFOp::create(builder, loc, to, value);
  NearestFloat result(*this, value, nearest);
  if (mode == Rounding::Floor)
    result.roundDown();
  else if (mode == Rounding::Ceil)
    result.roundUp();
  else if (mode == Rounding::Trunc)
    result.roundTowardZero();
  else if (mode == Rounding::Odd)
    result.roundToOdd();
  else
    result.moveTiesAwayFromZero();
  return result.get();
}

Value CastOp::buildScalar(OpBuilder &builder, ValueRange scalars) {
  CastBuilder at{builder, getLoc()};
  Type from = getElementOrSelf(getOperand().getType());
  Type to = getElementOrSelf(getResult().getType());
  Value value = scalars.front();
  if (from == to)
    return value;
  if (isBool(to))
    return at.toBool(value, from);
  if (isFloat(from))
    return isFloat(to) ? at.floatToFloat(value, to, getRounding())
                       : at.floatToInt(value, to, getRounding());
  return isFloat(to) ? at.intToFloat(value, from, to, getRounding())
                     : at.intToInt(value, from, to);
}
