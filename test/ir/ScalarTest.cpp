// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/Scalar.h"
#include "tegula/ir/ops/PlDialect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tegula;
using namespace tegula::pl;

static constexpr Rounding modes[] = {
    Rounding::None, Rounding::Rint,  Rounding::Round, Rounding::Floor,
    Rounding::Ceil, Rounding::Trunc, Rounding::Odd};

/// Every finite value that is not negative of a 16-bit type, by its pattern.
/// Decoded from the definition of the format, not by the code under test.
static std::vector<double> finiteValues(int fractionBits, int bias) {
  std::vector<double> values;
  int exponents = (1 << (15 - fractionBits)) - 1;
  for (int exponent = 0; exponent < exponents; ++exponent)
    for (int fraction = 0; fraction < 1 << fractionBits; ++fraction)
      values.push_back(exponent == 0
                           ? std::ldexp(fraction, 1 - bias - fractionBits)
                           : std::ldexp(fraction + (1 << fractionBits),
                                        exponent - bias - fractionBits));
  return values;
}

/// The pattern of the magnitude `x`, which lies between the values with the
/// patterns `low` and `low` + 1, rounded as `mode` says.
static unsigned roundBetween(unsigned low, double lowValue, double highValue,
                             double x, Rounding mode, bool isNegative) {
  if (x == lowValue)
    return low;
  double middle = (lowValue + highValue) / 2;
  switch (mode) {
  case Rounding::None:
  case Rounding::Rint:
    return x < middle || (x == middle && low % 2 == 0) ? low : low + 1;
  case Rounding::Round:
    return x < middle ? low : low + 1;
  case Rounding::Floor:
    return isNegative ? low + 1 : low;
  case Rounding::Ceil:
    return isNegative ? low : low + 1;
  case Rounding::Trunc:
    return low;
  case Rounding::Odd:
    return low | 1;
  }
  return 0;
}

static void checkBoundaries(DType dtype, int fractionBits, int bias) {
  std::vector<double> values = finiteValues(fractionBits, bias);
  // The value after the greatest: where rounding up means infinity.
  values.push_back(2 * values[values.size() - (1 << fractionBits)]);
  for (unsigned low = 0; low + 1 < values.size(); ++low) {
    double a = values[low], b = values[low + 1];
    auto middle = static_cast<float>((a + b) / 2);
    ASSERT_EQ(middle, (a + b) / 2);
    for (float x : {static_cast<float>(a), middle, std::nextafter(middle, 0.0f),
                    std::nextafter(middle, HUGE_VALF),
                    std::nextafter(static_cast<float>(a), HUGE_VALF),
                    std::nextafter(static_cast<float>(b), 0.0f)})
      for (Rounding mode : modes)
        for (bool isNegative : {false, true}) {
          unsigned want = roundBetween(low, a, b, x, mode, isNegative);
          // An overflow to odd stops at the greatest value, which is odd.
          if (isNegative)
            want |= 0x8000;
          Scalar source = Scalar::ofReal(DType::FP32, isNegative ? -x : x);
          ASSERT_EQ(source.cast(dtype, mode).getBits(), want)
              << x << " mode " << static_cast<int>(mode);
        }
  }
}

TEST(Scalar, RoundsToFP16AtEveryBoundary) {
  checkBoundaries(DType::FP16, 10, 15);
}
TEST(Scalar, RoundsToBF16AtEveryBoundary) {
  checkBoundaries(DType::BF16, 7, 127);
}

TEST(Scalar, KeepsEveryPatternOf16Bits) {
  for (DType dtype : {DType::FP16, DType::BF16})
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      Scalar number = Scalar::ofBits(dtype, bits);
      if (std::isnan(number.getReal()))
        EXPECT_TRUE(
            std::isnan(Scalar::ofBits(dtype, number.getBits()).getReal()));
      else
        ASSERT_EQ(number.getBits(), bits);
      ASSERT_EQ(number.getReal() == fromFloatBits(bits, dtype) ||
                    std::isnan(number.getReal()),
                true)
          << bits;
    }
}

TEST(Scalar, RoundsAllModesOfDoubleToFP32) {
  double one = 1, step = std::ldexp(1.0, -23), tie = one + step / 2;
  auto cast = [](double x, Rounding mode) {
    return Scalar::ofReal(DType::FP64, x).cast(DType::FP32, mode).getReal();
  };
  EXPECT_EQ(cast(tie, Rounding::None), one);
  EXPECT_EQ(cast(tie, Rounding::Rint), one);
  EXPECT_EQ(cast(tie, Rounding::Round), one + step);
  EXPECT_EQ(cast(-tie, Rounding::Round), -one - step);
  EXPECT_EQ(cast(-tie, Rounding::Floor), -one - step);
  EXPECT_EQ(cast(tie, Rounding::Ceil), one + step);
  EXPECT_EQ(cast(-tie, Rounding::Ceil), -one);
  EXPECT_EQ(cast(tie, Rounding::Trunc), one);
  EXPECT_EQ(cast(tie, Rounding::Odd), one + step);
  EXPECT_EQ(cast(1e300, Rounding::Trunc), std::numeric_limits<float>::max());
  EXPECT_EQ(cast(1e300, Rounding::Rint), INFINITY);
  EXPECT_EQ(cast(-1e300, Rounding::Ceil), -std::numeric_limits<float>::max());
  EXPECT_EQ(cast(1e-300, Rounding::Ceil),
            std::numeric_limits<float>::denorm_min());
  EXPECT_TRUE(std::isnan(cast(NAN, Rounding::Odd)));
  EXPECT_EQ(cast(INFINITY, Rounding::Trunc), INFINITY);
}

/// Saturating conversion from the definition, on values far below 2^53.
static int64_t wantedInteger(double x, Rounding mode, int64_t low,
                             int64_t high) {
  if (std::isnan(x))
    return 0;
  if (x <= -1e15 || x >= 1e15)
    return x < 0 ? low : high;
  auto below = static_cast<int64_t>(std::floor(x));
  double part = x - static_cast<double>(below);
  int64_t result = below;
  switch (mode) {
  case Rounding::Rint:
    result += part > 0.5 || (part == 0.5 && below % 2 != 0);
    break;
  case Rounding::Round:
    result += part > 0.5 || (part == 0.5 && x > 0);
    break;
  case Rounding::Floor:
    break;
  case Rounding::Ceil:
    result += part > 0;
    break;
  default:
    result += part > 0 && x < 0;
    break;
  }
  return std::clamp(result, low, high);
}

TEST(Scalar, CastsEvery16BitFloatToEveryInteger) {
  struct {
    DType dtype;
    int64_t low, high;
  } targets[] = {{DType::Int8, -128, 127},
                 {DType::UInt8, 0, 255},
                 {DType::Int16, -32768, 32767},
                 {DType::UInt16, 0, 65535},
                 {DType::Int32, -2147483648LL, 2147483647LL},
                 {DType::UInt32, 0, 4294967295LL}};
  for (DType source : {DType::FP16, DType::BF16})
    for (unsigned bits = 0; bits < 0x10000; ++bits)
      for (auto target : targets)
        for (Rounding mode : modes) {
          Scalar number = Scalar::ofBits(source, bits);
          ASSERT_EQ(
              number.cast(target.dtype, mode).getInteger(),
              wantedInteger(number.getReal(), mode, target.low, target.high))
              << number.getReal() << " mode " << static_cast<int>(mode);
        }
}

TEST(Scalar, SaturatesAt64Bits) {
  auto cast = [](double x, DType to) {
    return Scalar::ofReal(DType::FP64, x).cast(to, Rounding::None).getInteger();
  };
  EXPECT_EQ(cast(9.3e18, DType::Int64), INT64_MAX);
  EXPECT_EQ(cast(-9.3e18, DType::Int64), INT64_MIN);
  EXPECT_EQ(cast(-9223372036854775808.0, DType::Int64), INT64_MIN);
  EXPECT_EQ(cast(1.9e19, DType::UInt64), -1);
  EXPECT_EQ(cast(1e19, DType::UInt64),
            static_cast<int64_t>(UINT64_C(10000000000000000000)));
  EXPECT_EQ(cast(-1, DType::UInt64), 0);
  EXPECT_EQ(cast(NAN, DType::Int64), 0);
}

TEST(Scalar, KeepsTheLowBitsOfIntegers) {
  auto cast = [](DType from, int64_t x, DType to) {
    return Scalar::ofInteger(from, x).cast(to, Rounding::None).getInteger();
  };
  EXPECT_EQ(cast(DType::Int32, 0x12345, DType::Int8), 0x45);
  EXPECT_EQ(cast(DType::Int32, 0x1ff, DType::Int8), -1);
  EXPECT_EQ(cast(DType::Int8, -1, DType::UInt16), 0xffff);
  EXPECT_EQ(cast(DType::UInt8, 200, DType::Int8), -56);
  EXPECT_EQ(cast(DType::UInt8, 200, DType::Int32), 200);
  EXPECT_EQ(cast(DType::Int16, 256, DType::Bool), 1);
  EXPECT_EQ(cast(DType::Bool, 1, DType::Int64), 1);
}

TEST(Scalar, CastsToBoolByComparingWithZero) {
  auto cast = [](double x) {
    return Scalar::ofReal(DType::FP32, x).cast(DType::Bool, Rounding::None);
  };
  EXPECT_FALSE(cast(0).isTrue());
  EXPECT_FALSE(cast(-0.0).isTrue());
  EXPECT_TRUE(cast(0.25).isTrue());
  EXPECT_TRUE(cast(NAN).isTrue());
}

TEST(Scalar, RoundsLargeIntegersOnce) {
  // One above the tie of two BF16 values: rounding to double first, which
  // forgets the one, would make it a tie.
  int64_t tie = (int64_t(1) << 62) + (int64_t(1) << 54);
  auto cast = [](int64_t x, DType from) {
    return Scalar::ofInteger(from, x)
        .cast(DType::BF16, Rounding::None)
        .getReal();
  };
  EXPECT_EQ(cast(tie, DType::Int64), 4611686018427387904.0);
  EXPECT_EQ(cast(tie + 1, DType::Int64), std::ldexp(129.0, 55));
  EXPECT_EQ(cast(-tie - 1, DType::Int64), -std::ldexp(129.0, 55));
  EXPECT_EQ(cast(int64_t(2 * uint64_t(tie) + 1), DType::UInt64),
            std::ldexp(129.0, 56));
  int64_t exact = (int64_t(1) << 53) - 1;
  EXPECT_EQ(Scalar::ofInteger(DType::Int64, exact)
                .cast(DType::FP64, Rounding::None)
                .getReal(),
            9007199254740991.0);
}

TEST(Scalar, ReadsAndWritesUnalignedMemory) {
  for (DType dtype :
       {DType::Bool, DType::Int8, DType::Int16, DType::Int32, DType::Int64,
        DType::UInt8, DType::UInt16, DType::UInt32, DType::UInt64, DType::FP16,
        DType::BF16, DType::FP32, DType::FP64}) {
    char bytes[16] = {};
    Scalar number = isFloat(dtype) ? Scalar::ofReal(dtype, -1.5)
                                   : Scalar::ofInteger(dtype, -3);
    number.write(bytes + 1);
    EXPECT_EQ(Scalar::read(dtype, bytes + 1).getBits(), number.getBits());
    EXPECT_EQ(bytes[0], 0);
    EXPECT_EQ(bytes[1 + getSize(dtype)], 0);
  }
  char odd = 2;
  EXPECT_EQ(Scalar::read(DType::Bool, &odd).getInteger(), 1);
}

TEST(Scalar, ReadsIntegersEitherWay) {
  Scalar byte = Scalar::ofInteger(DType::Int8, 200);
  EXPECT_EQ(byte.getInteger(), -56);
  EXPECT_EQ(byte.getUnsigned(), 200u);
  Scalar unsignedByte = Scalar::ofInteger(DType::UInt8, -1);
  EXPECT_EQ(unsignedByte.getInteger(), 255);
  EXPECT_EQ(unsignedByte.getSigned(), -1);
  EXPECT_EQ(Scalar::ofBool(true).getSigned(), -1);
  EXPECT_EQ(Scalar::ofBool(true).getUnsigned(), 1u);
}
