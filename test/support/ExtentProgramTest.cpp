// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/ExtentProgram.h"

#include "gtest/gtest.h"

using namespace tegula;
using Op = ExtentProgram::Op;

/// The result of one operation.
static int64_t apply(Op op, int64_t lhs, int64_t rhs) {
  ExtentProgram program = {{{Op::Size, 0}, {Op::Scalar, 0}, {op}}, {"M"}};
  return program.run(&lhs, &rhs);
}

TEST(ExtentProgram, DividesAsPython) {
  EXPECT_EQ(apply(Op::FloorDiv, 7, 2), 3);
  EXPECT_EQ(apply(Op::FloorDiv, -7, 2), -4);
  EXPECT_EQ(apply(Op::FloorDiv, 7, -2), -4);
  EXPECT_EQ(apply(Op::FloorDiv, -6, 2), -3);
  EXPECT_EQ(apply(Op::CeilDiv, 7, 2), 4);
  EXPECT_EQ(apply(Op::CeilDiv, -7, 2), -3);
  EXPECT_EQ(apply(Op::CeilDiv, 6, 2), 3);
}

TEST(ExtentProgram, NeverTraps) {
  EXPECT_EQ(apply(Op::FloorDiv, 7, 0), 0);
  EXPECT_EQ(apply(Op::FloorDiv, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(apply(Op::CeilDiv, INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(apply(Op::Add, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(apply(Op::Mul, INT64_MAX, 2), -2);
}

TEST(ExtentProgram, Compares) {
  EXPECT_EQ(apply(Op::Less, 1, 2), 1);
  EXPECT_EQ(apply(Op::Less, 2, 2), 0);
  EXPECT_EQ(apply(Op::AtMost, 2, 2), 1);
  EXPECT_EQ(apply(Op::Equal, -1, -1), 1);
  EXPECT_EQ(apply(Op::NotEqual, -1, -1), 0);
  EXPECT_EQ(apply(Op::Min, -1, 3), -1);
  EXPECT_EQ(apply(Op::Max, -1, 3), 3);
  EXPECT_EQ(apply(Op::Xor, 1, 1), 0);
}

TEST(ExtentProgram, KnowsHowMuchRoomItNeeds) {
  ExtentProgram deep;
  for (unsigned i = 0; i <= ExtentProgram::maxDepth; ++i)
    deep.steps.push_back({Op::Constant, 1});
  EXPECT_FALSE(deep.fits());
  deep.steps.pop_back();
  EXPECT_TRUE(deep.fits());
}

TEST(ExtentProgram, CountsEachNameOnce) {
  ExtentProgram program;
  EXPECT_EQ(program.indexOf("M"), 0);
  EXPECT_EQ(program.indexOf("N"), 1);
  EXPECT_EQ(program.indexOf("M"), 0);
}
