// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/EightBitFloat.h"

#include "tegula/ir/interpreter/IntegerBits.h"

using namespace mlir;
using namespace tegula::pl;

bool tegula::pl::isEightBitFloat(Type element) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(element);
}

namespace {

/// What sets the formats apart.
struct Layout {
  explicit Layout(Type type)
      : Layout(isa<Float8E4M3FNType>(type) ? Layout{3, 121, 0x7e, 0x7f, 0x7f}
                                           : Layout{2, 113, 0x7b, 0x7c, 0x7e}) {
  }
  constexpr Layout(int fraction, int least, int greatest, int beyond, int nan)
      : fraction(fraction), least(least), greatest(greatest), beyond(beyond),
        nan(nan) {}

  int fraction; ///< Bits behind the point.
  int least;    ///< FP32's exponent field of the least normal value.
  int greatest; ///< The bits of the greatest finite value,
  int beyond;   ///< of what lies beyond it,
  int nan;      ///< and of a NaN.
};

/// One rounding to 8 bits.
class Rounder {
public:
  Rounder(IntegerBits on, Layout layout, Rounding mode, Value value)
      : on(on), layout(layout), mode(mode) {
    bits = on.to<arith::BitcastOp>(on.integers(32), value);
    magnitude = on.make<arith::AndIOp>(bits, 0x7fffffff);
    isNegative = on.compare(P::slt, bits, 0);
  }

  Value round() {
    Value code = codeOf();
    Value limited =
        on.select(on.compare(P::sgt, code, layout.greatest), overflow(), code);
    Value isNaN = on.compare(P::ugt, magnitude, infinity);
    Value any = on.select(isNaN, on.constant(bits, layout.nan), limited);
    Value sign =
        on.make<arith::AndIOp>(on.make<arith::ShRUIOp>(bits, 24), 0x80);
    return on.to<arith::TruncIOp>(on.integers(8),
                                  on.make<arith::OrIOp>(any, sign));
  }

private:
  using P = arith::CmpIPredicate;
  static constexpr int64_t infinity = 0x7f800000;

  /// The bits without the sign, too large where the value is.
  Value codeOf() {
    Value exponent = on.make<arith::ShRUIOp>(magnitude, 23);
    Value mantissa = on.make<arith::OrIOp>(
        on.make<arith::AndIOp>(magnitude, 0x7fffff), 0x800000);
    mantissa = on.select(on.compare(P::eq, magnitude, 0), on.constant(bits, 0),
                         mantissa);
    // Below the least normal value each step of the exponent loses a bit.
    Value normal = on.make<arith::MaxSIOp>(exponent, layout.least);
    Value below = on.make<arith::SubIOp>(normal, exponent);
    Value shift = on.make<arith::MinSIOp>(
        on.make<arith::AddIOp>(below, 23 - layout.fraction), 25);
    Value kept = on.make<arith::ShRUIOp>(mantissa, shift);
    Value rest =
        on.make<arith::SubIOp>(mantissa, on.make<arith::ShLIOp>(kept, shift));
    Value half = on.make<arith::ShLIOp>(on.constant(shift, 1),
                                        on.make<arith::SubIOp>(shift, 1));
    Value step =
        on.to<arith::ExtUIOp>(on.integers(32), goesAway(kept, rest, half));
    Value field =
        on.make<arith::ShLIOp>(on.make<arith::SubIOp>(normal, layout.least),
                               on.constant(bits, layout.fraction));
    return on.make<arith::AddIOp>(on.make<arith::AddIOp>(field, kept), step);
  }

  /// True where the neighbour away from zero is chosen.
  Value goesAway(Value kept, Value rest, Value half) {
    Value isInexact = on.compare(P::ne, rest, 0);
    Value isOdd = on.compare(P::ne, on.make<arith::AndIOp>(kept, 1), 0);
    switch (mode) {
    case Rounding::None:
    case Rounding::Rint:
      return on.make<arith::OrIOp>(
          on.compare(P::ugt, rest, half),
          on.make<arith::AndIOp>(on.compare(P::eq, rest, half), isOdd));
    case Rounding::Round:
      return on.compare(P::uge, rest, half);
    case Rounding::Floor:
      return on.make<arith::AndIOp>(isInexact, isNegative);
    case Rounding::Ceil:
      return on.make<arith::AndIOp>(isInexact, negate(isNegative));
    case Rounding::Trunc:
      return on.constant(isOdd, 0);
    case Rounding::Odd:
      return on.make<arith::AndIOp>(isInexact, negate(isOdd));
    }
    llvm_unreachable("every rounding is covered");
  }

  /// What a value too large becomes.
  Value overflow() {
    Value greatest = on.constant(bits, layout.greatest);
    Value beyond = on.constant(bits, layout.beyond);
    Value isInfinite = on.compare(P::eq, magnitude, infinity);
    Value finite =
        mode == Rounding::Floor  ? on.select(isNegative, beyond, greatest)
        : mode == Rounding::Ceil ? on.select(isNegative, greatest, beyond)
        : mode == Rounding::Trunc || mode == Rounding::Odd ? greatest
                                                           : beyond;
    return on.select(isInfinite, beyond, finite);
  }

  Value negate(Value condition) { return on.make<arith::XOrIOp>(condition, 1); }

  IntegerBits on;
  Layout layout;
  Rounding mode;
  Value bits, magnitude, isNegative;
};

} // namespace

Value tegula::pl::buildEightBits(OpBuilder &builder, Location loc, Value value,
                                 Type to, Rounding mode) {
  IntegerBits on(builder, loc, value.getType());
  return Rounder(on, Layout(to), mode, value).round();
}

/// Both formats fit FP16: FP8E5M2 is its upper half, and FP8E4M3FN becomes one
/// by moving its bits and correcting the exponent.
Value tegula::pl::buildFromEightBits(OpBuilder &builder, Location loc,
                                     Value bits, Type from) {
  IntegerBits on(builder, loc, bits.getType());
  Value wide = on.to<arith::ExtUIOp>(on.integers(16), bits);
  auto asFloat = [&](Value half) {
    Value narrow =
        on.to<arith::BitcastOp>(on.typeOf(builder.getF16Type()), half);
    return on.to<arith::ExtFOp>(on.typeOf(builder.getF32Type()), narrow);
  };
  if (isa<Float8E5M2Type>(from))
    return asFloat(on.make<arith::ShLIOp>(wide, 8));
  Value magnitude = on.make<arith::AndIOp>(wide, 0x7f);
  Value sign = on.make<arith::ShLIOp>(on.make<arith::AndIOp>(wide, 0x80), 8);
  Value moved =
      on.make<arith::OrIOp>(sign, on.make<arith::ShLIOp>(magnitude, 7));
  Value value =
      arith::MulFOp::create(builder, loc, asFloat(moved), on.real(256));
  Value isNaN = on.compare(arith::CmpIPredicate::eq, magnitude, 0x7f);
  return on.select(isNaN, on.real(std::numeric_limits<float>::quiet_NaN()),
                   value);
}
