// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/call/Guard.h"

#include "gtest/gtest.h"
#include <vector>

using namespace tegula;

static Parameter tensor(const char *name, Direction direction, DType dtype,
                        std::vector<Axis> axes) {
  return {name, Parameter::Kind::Tensor, direction, dtype, std::move(axes)};
}
static Axis symbol(const char *name) {
  return {std::nullopt, name, std::nullopt};
}

namespace {
/// k(w: INT4 [M, N], x: FP32 [N], out: Out UINT4 [M, 5])
struct HalfBytesGuarded : testing::Test {
  HalfBytesGuarded() {
    EXPECT_FALSE(Guard::create(
        {"k",
         {tensor("w", Direction::In, DType::Int4, {symbol("M"), symbol("N")}),
          tensor("x", Direction::In, DType::FP32, {symbol("N")}),
          tensor("out", Direction::Out, DType::UInt4,
                 {symbol("M"), {int64_t(5), "", std::nullopt}})},
         {}},
        guard));
  }

  std::string check(const TensorView &weights, const TensorView &result,
                    int64_t columns) {
    Problem problem =
        guard.check({weights, TensorView(x, {columns}), result}, slots);
    return problem ? problem.getText() : "";
  }

  Guard guard;
  int64_t slots[Guard::maxSlots];
  uint8_t w[100] = {}, out[100] = {};
  float x[100] = {};
};
} // namespace

TEST_F(HalfBytesGuarded, CountsColumnsAsOthersSay) {
  TensorView bytes(w, {2, 4}), result(out, {2, 3});
  for (int64_t columns : {7, 8}) {
    EXPECT_EQ(check(bytes, result, columns), "");
    EXPECT_EQ(
        std::vector<int64_t>(slots, slots + 5),
        (std::vector<int64_t>{reinterpret_cast<int64_t>(w), 2, columns, 8, 1}));
    EXPECT_EQ(
        std::vector<int64_t>(slots + 8, slots + 13),
        (std::vector<int64_t>{reinterpret_cast<int64_t>(out), 2, 5, 6, 1}));
  }
  EXPECT_EQ(check(bytes, result, 6), "argument 'w': axis 1 is 8, but N is 6 "
                                     "(from argument 'x' axis 0)");
  EXPECT_EQ(check(bytes, result, 9), "argument 'w': axis 1 is 8, but N is 9 "
                                     "(from argument 'x' axis 0)");
  EXPECT_EQ(check(bytes, TensorView(out, {2, 2}), 8),
            "argument 'out': axis 1 is 4, but 5 is wanted");
}

TEST_F(HalfBytesGuarded, TakesTwoForAByteIfNothingElseSays) {
  Guard alone;
  ASSERT_FALSE(Guard::create(
      {"k", {tensor("w", Direction::In, DType::Int4, {symbol("N")})}, {}},
      alone));
  ASSERT_FALSE(alone.check({TensorView(w, {3})}, slots));
  EXPECT_EQ(slots[1], 6);
  ASSERT_FALSE(alone.check({TensorView(w, DType::Int4, {5})}, slots));
  EXPECT_EQ(slots[1], 5);
}

TEST_F(HalfBytesGuarded, TakesViewsOfElements) {
  TensorView result(out, {2, 3});
  EXPECT_EQ(check(TensorView(w, DType::Int4, {2, 7}), result, 7), "");
  EXPECT_EQ(slots[3], 8);
  EXPECT_EQ(check(TensorView(w, DType::Int4, {2, 7}, {-10, 1}), result, 7), "");
  EXPECT_EQ(check(TensorView(w, DType::Int4, {1, 7}, {7, 1}),
                  TensorView(out, {1, 3}), 7),
            "");
  EXPECT_EQ(check(TensorView(w, DType::Int4, {2, 7}, {7, 1}), result, 7),
            "argument 'w': elements of INT4 lie two to a byte, so the stride "
            "along axis 0 must be even, got 7");
  EXPECT_EQ(check(TensorView(w, DType::Int4, {2, 7}, {20, 2}), result, 7),
            "argument 'w': elements of INT4 lie two to a byte, so the stride "
            "along axis 1 must be 1, got 2");
  EXPECT_EQ(check(TensorView(w, {2, 4}, {1, 2}), result, 7),
            "argument 'w': elements of INT4 lie two to a byte, so the stride "
            "along axis 1 must be 1, got 2");
  EXPECT_EQ(check(TensorView(w, DType::UInt4, {2, 7}), result, 7),
            "argument 'w': INT4 is wanted, got UINT4");
}

TEST_F(HalfBytesGuarded, RefusesOutputsThatShareAByte) {
  TensorView weights(w, {2, 4});
  EXPECT_EQ(check(weights, TensorView(w + 8, {2, 3}), 7), "");
  EXPECT_EQ(check(weights, TensorView(w + 7, {2, 3}), 7),
            "argument 'out' is written and shares memory with argument 'w'");
  EXPECT_EQ(check(weights, TensorView(out, {2, 3}, {2, 1}), 7),
            "argument 'out': stride 4 along axis 0 makes elements share "
            "memory, but the kernel writes them");
}
