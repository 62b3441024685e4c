// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pl.cast between all types in all modes, against LLVM's own arithmetic.
#include "CastCases.h"

#include <gtest/gtest.h>

using namespace tegula;
using pl::Scalar;

static void castAll(ElementType from) {
  std::vector<uint64_t> sources = castSources(from.dtype);
  for (ElementType to : elementTypes)
    for (pl::Rounding mode : modesOf(from.dtype, to.dtype)) {
      int failures = 0;
      for (uint64_t bits : sources) {
        uint64_t found =
            Scalar::ofBits(from.dtype, bits).cast(to.dtype, mode).getBits();
        uint64_t wanted = from.dtype == to.dtype
                              ? bits
                              : castByLlvm(from.dtype, bits, to.dtype, mode);
        bool isSame = found == wanted || (isNaNBits(to.dtype, found) &&
                                          isNaNBits(to.dtype, wanted));
        if (!isSame && ++failures <= 2)
          ADD_FAILURE() << from.name << " to " << to.name << ", "
                        << stringifyRounding(mode).str() << ": 0x" << std::hex
                        << bits << " gave 0x" << found << ", wanted 0x"
                        << wanted;
      }
    }
}

TEST(Cast, FromIntegersIsExact) {
  for (ElementType from : elementTypes)
    if (!isFloat(from.dtype))
      castAll(from);
}

TEST(Cast, FromNarrowFloatsIsExact) {
  for (ElementType from : elementTypes)
    if (isFloat(from.dtype) && getBits(from.dtype) <= 16)
      castAll(from);
}

TEST(Cast, FromWideFloatsIsExact) {
  for (ElementType from : elementTypes)
    if (isFloat(from.dtype) && getBits(from.dtype) > 16)
      castAll(from);
}

TEST(Cast, OverflowsOfTheFloatWithoutInfinityAreNaN) {
  auto cast = [](double value, pl::Rounding mode) {
    return Scalar::ofReal(DType::FP32, value)
        .cast(DType::FP8E4M3FN, mode)
        .getReal();
  };
  EXPECT_EQ(cast(464, pl::Rounding::Rint), 448);
  EXPECT_TRUE(std::isnan(cast(465, pl::Rounding::Rint)));
  EXPECT_TRUE(std::isnan(cast(464, pl::Rounding::Round)));
  EXPECT_EQ(cast(1e9, pl::Rounding::Trunc), 448);
  EXPECT_EQ(cast(-1e9, pl::Rounding::Ceil), -448);
  EXPECT_TRUE(std::isnan(cast(INFINITY, pl::Rounding::Trunc)));
}
