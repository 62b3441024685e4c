// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/Int64Range.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tegula;
using Op = ExtentProgram::Op;

/// "[-3, 4]", or "none" if a result may leave 64 bits.
static std::string apply(Op op, Int64Range lhs, Int64Range rhs) {
  std::optional<Int64Range> range = applyToRanges(op, lhs, rhs);
  return range ? "[" + std::to_string(range->low) + ", " +
                     std::to_string(range->high) + "]"
               : "none";
}

TEST(Int64Range, SeesNumbersLeave64Bits) {
  Int64Range most = {INT64_MAX, INT64_MAX}, least = {INT64_MIN, INT64_MIN};
  EXPECT_EQ(apply(Op::Add, most, {0, 1}), "none");
  EXPECT_EQ(apply(Op::Sub, least, {0, 1}), "none");
  EXPECT_EQ(apply(Op::Sub, {0, 0}, least), "none");
  EXPECT_EQ(apply(Op::Mul, {INT64_MIN, 0}, {-1, -1}), "none");
  EXPECT_EQ(apply(Op::Mul, {0, int64_t(1) << 32}, {0, int64_t(1) << 31}),
            "none");
  EXPECT_EQ(apply(Op::FloorDiv, least, {-1, 3}), "none");
  EXPECT_EQ(apply(Op::CeilDiv, least, {-1, -1}), "none");
  EXPECT_EQ(apply(Op::Max, most, least), "[9223372036854775807, "
                                         "9223372036854775807]");
}

TEST(Int64Range, HoldsEveryResult) {
  // Every operation on every pair out of every two small ranges.
  std::vector<Int64Range> ranges;
  for (int64_t low = -4; low <= 4; ++low)
    for (int64_t high = low; high <= 4; ++high)
      ranges.push_back({low, high});
  for (int code = static_cast<int>(Op::Add); code <= static_cast<int>(Op::Xor);
       ++code)
    for (Int64Range lhs : ranges)
      for (Int64Range rhs : ranges) {
        auto op = static_cast<Op>(code);
        std::optional<Int64Range> range = applyToRanges(op, lhs, rhs);
        ASSERT_TRUE(range.has_value());
        for (int64_t left = lhs.low; left <= lhs.high; ++left)
          for (int64_t right = rhs.low; right <= rhs.high; ++right) {
            int64_t result = ExtentProgram::apply(op, left, right);
            ASSERT_TRUE(range->low <= result && result <= range->high)
                << code << " of " << left << " and " << right;
          }
      }
}

TEST(Int64Range, IsExactForOneNumber) {
  EXPECT_EQ(apply(Op::Add, {2, 2}, {3, 3}), "[5, 5]");
  EXPECT_EQ(apply(Op::FloorDiv, {-7, -7}, {2, 2}), "[-4, -4]");
  EXPECT_EQ(apply(Op::FloorDiv, {7, 7}, {0, 0}), "[0, 0]");
  EXPECT_EQ(apply(Op::Either, {2, 2}, {-3, -3}), "[-3, 2]");
}

TEST(Int64Range, RunsPrograms) {
  // (M + n) * 2
  ExtentProgram program = {
      {{Op::Size, 0}, {Op::Scalar, 0}, {Op::Add}, {Op::Constant, 2}, {Op::Mul}},
      {"M"}};
  int64_t size = 5, number = -7, large = int64_t(1) << 62;
  EXPECT_EQ(rangeOf(program, &size, &number)->low, -4);
  EXPECT_FALSE(rangeOf(program, &large, &size));
  EXPECT_FALSE(rangeOf(program, &size, &large));
  EXPECT_TRUE(rangeOfBits(program, 61));
  EXPECT_FALSE(rangeOfBits(program, 62));
}
