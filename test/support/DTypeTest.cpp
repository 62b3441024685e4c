// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/DType.h"
#include "tegula/support/TensorView.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace tegula;

TEST(DType, NamesParseBack) {
  for (int index = 0; index <= static_cast<int>(DType::Index); ++index) {
    DType dtype = static_cast<DType>(index);
    EXPECT_EQ(parseDType(getName(dtype)), dtype);
    EXPECT_EQ(parseDType(getName(dtype).lower()), dtype);
  }
  EXPECT_EQ(parseDType("FP12"), std::nullopt);
}

TEST(DType, RangesAreThoseOfTheMachine) {
  EXPECT_EQ(getIntegerRange(DType::Int8).low, -128);
  EXPECT_EQ(getIntegerRange(DType::Int8).high, 127u);
  EXPECT_EQ(getIntegerRange(DType::UInt64).high, UINT64_MAX);
  EXPECT_EQ(getIntegerRange(DType::Int64).low, INT64_MIN);
  EXPECT_EQ(getIntegerRange(DType::Bool).high, 1u);
  EXPECT_EQ(getIntegerRange(DType::Int4).low, -8);
  EXPECT_EQ(getIntegerRange(DType::Int4).high, 7u);
  EXPECT_EQ(getIntegerRange(DType::UInt4).high, 15u);
}

TEST(DType, RoundsToNearestEven) {
  EXPECT_EQ(toFloatBits(1.0, DType::FP16), 0x3c00u);
  EXPECT_EQ(toFloatBits(65504.0, DType::FP16), 0x7bffu);
  EXPECT_EQ(toFloatBits(65520.0, DType::FP16), 0x7c00u);
  EXPECT_EQ(toFloatBits(1.0, DType::BF16), 0x3f80u);
  // 1 + 2^-8 lies halfway between two BF16 values; the even one is 1.
  EXPECT_EQ(toFloatBits(1.00390625, DType::BF16), 0x3f80u);
  EXPECT_EQ(fromFloatBits(0x0001, DType::FP16), std::ldexp(1.0, -24));
  EXPECT_TRUE(std::isnan(fromFloatBits(0x7e00, DType::FP16)));
  EXPECT_EQ(toFloatBits(448, DType::FP8E4M3FN), 0x7eu);
  EXPECT_EQ(toFloatBits(1e9, DType::FP8E4M3FN), 0x7fu);
  EXPECT_EQ(toFloatBits(1e9, DType::FP8E5M2), 0x7cu);
  EXPECT_EQ(fromFloatBits(0x01, DType::FP8E4M3FN), std::ldexp(1.0, -9));
}

TEST(DType, FourBitIntegersArePackedTwoToAByte) {
  EXPECT_EQ(getBits(DType::Int4), 4u);
  EXPECT_EQ(getDenseBytes(0, DType::Int4), 0);
  EXPECT_EQ(getDenseBytes(7, DType::UInt4), 4);
  uint8_t bytes[] = {0x2f, 0x80};
  char *first = toHalfByte(bytes);
  EXPECT_EQ(toHalfByte(first), first);
  EXPECT_EQ(readElement(first, DType::Int4), -1);
  EXPECT_EQ(readElement(first, DType::UInt4), 15);
  EXPECT_EQ(readElement(first + 1, DType::Int4), 2);
  EXPECT_EQ(readElement(first + 3, DType::Int4), -8);
  writeElement(first + 2, DType::Int4, -3);
  EXPECT_EQ(bytes[1], 0x8d);
  copyElement(first + 3, first, DType::Int4);
  EXPECT_EQ(bytes[1], 0xfd);
  EXPECT_EQ(bytes[0], 0x2f);
}

TEST(DType, FollowsCxxTypes) {
  EXPECT_EQ(dtypeOf<int8_t>(), DType::Int8);
  EXPECT_EQ(dtypeOf<const unsigned long long>(), DType::UInt64);
  EXPECT_EQ(dtypeOf<float>(), DType::FP32);
  EXPECT_EQ(dtypeOf<bool>(), DType::Bool);
}
