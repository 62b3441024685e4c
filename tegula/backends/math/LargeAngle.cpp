// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large angles less a multiple of pi / 2 (Payne and Hanek): the angle is an
// integer times a power of two, and the bits of 2 / pi that only add full
// circles are left out of the multiplication.

#include "tegula/backends/math/Functions.h"

using namespace mlir;
using namespace tegula;

// The bits of 2 / pi, after 64 zeros for angles below 2 ** 64.
static constexpr uint64_t twoOverPi[] = {
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
};
static constexpr int64_t wordBits = 64;

namespace {

/// Builds ops on words of 64 bits, one for each float.
class AngleBuilder {
public:
  AngleBuilder(FloatBuilder &on)
      : on(on), builder(on.getBuilder()), loc(on.getLoc()),
        word(like(builder.getI64Type())) {}

  ReducedAngle reduce(Value angle) {
    Value bits = on.bitsOf(angle);
    if (!on.isDouble())
      bits = arith::ExtUIOp::create(builder, loc, word, bits);
    int64_t fraction = on.mantissaBits();
    Value exponent = shiftRight(bits, number(fraction));
    Value mantissa = make<arith::OrIOp>(
        make<arith::AndIOp>(bits, number((int64_t(1) << fraction) - 1)),
        number(int64_t(1) << fraction));
    // The angle is mantissa * 2 ** e; the first e - 2 bits add full circles.
    int64_t bias = (on.oneBits() >> fraction) + fraction;
    Value first = make<arith::AddIOp>(exponent, number(wordBits - 2 - bias));
    return split(multiply(mantissa, bitsFrom(first)));
  }

private:
  /// 128 bits of 2 / pi for FP32, 192 for FP64, from the given one on.
  SmallVector<Value> bitsFrom(Value first) {
    size_t count = on.isDouble() ? 3 : 2;
    size_t known = on.isDouble() ? std::size(twoOverPi) : 6;
    SmallVector<Value> words;
    for (uint64_t bits : ArrayRef(twoOverPi).take_front(known))
      words.push_back(number(int64_t(bits)));
    // Each bit of the word's number leaves out so many words.
    for (size_t skipped = llvm::bit_floor(known - count); skipped > 0;
         skipped /= 2) {
      Value isSet = isNonzero(
          make<arith::AndIOp>(first, number(int64_t(skipped) * wordBits)));
      size_t kept = std::min(words.size(), count + skipped);
      for (size_t i = 0; i < kept; ++i)
        if (i + skipped < words.size())
          words[i] = on.select(isSet, words[i + skipped], words[i]);
      words.truncate(kept);
    }
    Value shift = make<arith::AndIOp>(first, number(wordBits - 1));
    Value rest = make<arith::SubIOp>(number(wordBits - 1), shift);
    SmallVector<Value> shifted;
    for (size_t i = 0; i < count; ++i)
      shifted.push_back(make<arith::OrIOp>(
          make<arith::ShLIOp>(words[i], shift),
          shiftRight(shiftRight(words[i + 1], number(1)), rest)));
    return shifted;
  }

  /// The lowest words of what is multiplied, the first the highest.
  SmallVector<Value> multiply(Value factor, SmallVector<Value> words) {
    Value carry = number(0);
    for (Value &part : llvm::reverse(words)) {
      auto digits = arith::MulUIExtendedOp::create(builder, loc, factor, part);
      auto sum =
          arith::AddUIExtendedOp::create(builder, loc, digits.getLow(), carry);
      part = sum.getSum();
      carry = make<arith::AddIOp>(
          digits.getHigh(),
          arith::ExtUIOp::create(builder, loc, word, sum.getOverflow()));
    }
    return words;
  }

  /// Two bits of quarters, the others a fraction of one, which is taken from
  /// -1/2 to 1/2.
  ReducedAngle split(ArrayRef<Value> digits) {
    Value quarter = shiftRight(
        make<arith::AddIOp>(shiftRight(digits[0], number(61)), number(1)),
        number(1));
    auto fractionOf = [&](Value high, Value low) {
      return make<arith::OrIOp>(make<arith::ShLIOp>(high, number(2)),
                                shiftRight(low, number(62)));
    };
    FloatBuilder whole = on.withType(like(builder.getF64Type()));
    Value high = fractionOf(digits[0], digits[1]);
    // As many bits as a float has, so that the conversion is exact.
    constexpr int64_t lowBits = (1 << 11) - 1;
    Value top =
        arith::SIToFPOp::create(builder, loc, whole.getType(),
                                make<arith::AndIOp>(high, number(~lowBits)));
    Value rest = whole.mul(top, whole.number(0x1.921fb54442d18p-64));
    if (!on.isDouble())
      return {arith::TruncFOp::create(builder, loc, on.getType(), rest),
              arith::TruncIOp::create(builder, loc, like(builder.getI32Type()),
                                      quarter)};
    // The bits below, and what the multiplication rounded away.
    Value below =
        arith::SIToFPOp::create(builder, loc, whole.getType(),
                                make<arith::AndIOp>(high, number(lowBits)));
    Value low = arith::UIToFPOp::create(builder, loc, whole.getType(),
                                        fractionOf(digits[1], digits[2]));
    below = whole.fuse(low, whole.number(0x1p-64), below);
    Value error = whole.fuse(top, whole.number(0x1.921fb54442d18p-64),
                             whole.negate(rest));
    error = whole.fuse(top, whole.number(0x1.1a62633145c07p-118), error);
    error = whole.fuse(below, whole.number(0x1.921fb54442d18p-64), error);
    return {whole.add(rest, error), quarter};
  }

  Type like(Type element) const {
    auto vector = dyn_cast<VectorType>(on.getType());
    return vector ? Type(vector.clone(element)) : element;
  }
  Value number(int64_t value) {
    auto one = builder.getI64IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(word))
      return arith::ConstantOp::create(
          builder, loc, SplatElementsAttr::get(vector, Attribute(one)));
    return arith::ConstantOp::create(builder, loc, one);
  }
  template <typename Op> Value make(Value lhs, Value rhs) {
    return Op::create(builder, loc, lhs, rhs);
  }
  Value shiftRight(Value bits, Value count) {
    return make<arith::ShRUIOp>(bits, count);
  }
  Value isNonzero(Value bits) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bits,
                                 number(0));
  }

  FloatBuilder &on;
  OpBuilder &builder;
  Location loc;
  Type word;
};

} // namespace

ReducedAngle tegula::reduceLargeAngle(FloatBuilder &on, Value angle) {
  return AngleBuilder(on).reduce(angle);
}
