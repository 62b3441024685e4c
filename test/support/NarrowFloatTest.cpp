// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats narrower than FP32 against LLVM's own arithmetic.

#include "tegula/support/DType.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace tegula;
using llvm::APFloat;

namespace {
struct Format {
  DType dtype;
  const llvm::fltSemantics &semantics;
};
} // namespace

static const Format formats[] = {
    {DType::FP16, APFloat::IEEEhalf()},
    {DType::BF16, APFloat::BFloat()},
    {DType::FP8E4M3FN, APFloat::Float8E4M3FN()},
    {DType::FP8E5M2, APFloat::Float8E5M2()},
};

static uint64_t expectedBits(double value, const Format &format) {
  APFloat number(value);
  bool losesBits;
  number.convert(format.semantics, APFloat::rmNearestTiesToEven, &losesBits);
  return number.bitcastToAPInt().getZExtValue();
}

TEST(NarrowFloat, AllBitsMeanTheSameNumber) {
  for (const Format &format : formats) {
    unsigned width = 8 * getSize(format.dtype);
    for (uint64_t bits = 0; bits >> width == 0; ++bits) {
      double expected =
          APFloat(format.semantics, llvm::APInt(width, bits)).convertToDouble();
      double found = fromFloatBits(bits, format.dtype);
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(found)) << bits;
      else
        ASSERT_EQ(found, expected) << bits;
      ASSERT_EQ(std::signbit(found), std::signbit(expected)) << bits;
    }
  }
}

TEST(NarrowFloat, RoundsLikeLlvm) {
  for (const Format &format : formats) {
    unsigned width = 8 * getSize(format.dtype);
    for (uint64_t bits = 0; bits >> width == 0; ++bits) {
      double value = fromFloatBits(bits, format.dtype);
      double next =
          fromFloatBits((bits + 1) & ((1u << width) - 1), format.dtype);
      double middle = value + (next - value) / 2;
      for (double probe : {value, middle, std::nextafter(middle, value),
                           std::nextafter(middle, next), value * 1.0625})
        ASSERT_EQ(toFloatBits(probe, format.dtype), expectedBits(probe, format))
            << probe;
    }
  }
}

TEST(NarrowFloat, HandlesTheEnds) {
  using Limits = std::numeric_limits<double>;
  for (const Format &format : formats)
    for (double value :
         {0.0, -0.0, Limits::infinity(), -Limits::infinity(), Limits::max(),
          -Limits::max(), Limits::min(), Limits::denorm_min(),
          -Limits::denorm_min(), 464.0, 463.9, 465.0, 480.0, 65519.99, 61440.0})
      EXPECT_EQ(toFloatBits(value, format.dtype), expectedBits(value, format))
          << value;
}
