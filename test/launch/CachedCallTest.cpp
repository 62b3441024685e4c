// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that differ from one before in addresses only.

#include "tegula/launch/call/CachedCall.h"

#include "gtest/gtest.h"

using namespace tegula;

static Parameter tensor(const char *name, Direction direction,
                        std::vector<Axis> axes, DType dtype = DType::FP32) {
  return {name, Parameter::Kind::Tensor, direction, dtype, std::move(axes)};
}

static Axis symbol(const char *name) {
  return {std::nullopt, name, std::nullopt};
}

static Guard makeGuard(std::vector<Parameter> parameters) {
  Guard guard;
  EXPECT_FALSE(Guard::create({"add", std::move(parameters), {}}, guard));
  return guard;
}

namespace {

/// add(x: [M, N], n: FP32, out: Out [M, N], sum: Out [M, N])
struct Known : testing::Test {
  std::vector<float> memory = std::vector<float>(1000);
  float *x = memory.data(), *out = x + 100, *sum = x + 200;
  Guard guard = makeGuard(
      {tensor("x", Direction::In, {symbol("M"), symbol("N")}),
       {"n", Parameter::Kind::Scalar, Direction::In, DType::FP32, std::nullopt},
       tensor("out", Direction::Out, {symbol("M"), symbol("N")}),
       tensor("sum", Direction::Out, {symbol("M"), symbol("N")})});
  CachedCall call;
  int64_t slots[CachedCall::mostSlots];

  bool assign(std::initializer_list<int64_t> sizes,
              std::initializer_list<int64_t> strides = {}) {
    return call.assign(guard, {TensorView(x, sizes, strides), 1.0,
                               TensorView(out, sizes, strides),
                               TensorView(sum, sizes, strides)});
  }
  bool admit(const void *first, const void *second, const void *third) {
    uintptr_t addresses[] = {reinterpret_cast<uintptr_t>(first),
                             reinterpret_cast<uintptr_t>(second),
                             reinterpret_cast<uintptr_t>(third)};
    return call.admit(addresses, slots);
  }
  static const void *at(uintptr_t address) {
    return reinterpret_cast<const void *>(address);
  }
};

} // namespace

TEST_F(Known, FillsSlotsAsTheGuardDoes) {
  ASSERT_TRUE(assign({3, 5}, {7, 1}));
  float *moved[] = {x + 400, x + 500, x + 600};
  ASSERT_TRUE(admit(moved[0], moved[1], moved[2]));
  int64_t wanted[Guard::maxSlots];
  ASSERT_FALSE(guard.check({TensorView(moved[0], {3, 5}, {7, 1}), 1.0,
                            TensorView(moved[1], {3, 5}, {7, 1}),
                            TensorView(moved[2], {3, 5}, {7, 1})},
                           wanted));
  EXPECT_EQ(std::vector<int64_t>(slots, slots + 16),
            std::vector<int64_t>(wanted, wanted + 16));
}

TEST_F(Known, RefusesAddressesThatTheGuardWould) {
  ASSERT_TRUE(assign({3, 5}));
  EXPECT_FALSE(admit(nullptr, out, sum));
  EXPECT_FALSE(admit(x, nullptr, sum));
  EXPECT_FALSE(admit(reinterpret_cast<char *>(x) + 1, out, sum));
  EXPECT_FALSE(admit(x, out, reinterpret_cast<char *>(sum) + 2));
  EXPECT_TRUE(admit(reinterpret_cast<char *>(x) + 4, out, sum));
  // The end of the address space.
  EXPECT_FALSE(admit(at(UINTPTR_MAX - 3), out, sum));
  EXPECT_FALSE(admit(at(UINTPTR_MAX - 59), out, sum));
  EXPECT_TRUE(admit(at(UINTPTR_MAX - 63), out, sum));
}

TEST_F(Known, RefusesMemoryBeforeTheAddressSpace) {
  x += 50;
  out += 50;
  sum += 50;
  ASSERT_TRUE(assign({3, 5}, {-5, 1}));
  EXPECT_FALSE(admit(at(36), out, sum));
  EXPECT_TRUE(admit(at(40), out, sum));
}

TEST_F(Known, LeavesSharedMemoryToTheGuard) {
  ASSERT_TRUE(assign({3, 5}));
  EXPECT_FALSE(admit(x, x, sum));
  EXPECT_FALSE(admit(x, out, x));
  EXPECT_FALSE(admit(x, out, out));
  EXPECT_FALSE(admit(x, x + 14, sum));
  EXPECT_FALSE(admit(x + 14, x, sum));
  EXPECT_FALSE(admit(x, out, out + 14));
  EXPECT_TRUE(admit(x, x + 15, x + 30));
  EXPECT_TRUE(admit(x + 30, x + 15, x));
}

TEST_F(Known, TakesAnyAddressOfNoElements) {
  ASSERT_TRUE(assign({0, 5}));
  EXPECT_TRUE(admit(nullptr, nullptr, nullptr));
  EXPECT_TRUE(admit(x, x, reinterpret_cast<char *>(x) + 1));
}

TEST_F(Known, TakesNoCallThatTheGuardRefuses) {
  EXPECT_FALSE(
      call.assign(guard, {TensorView(x, {3, 5}), 1.0, TensorView(out, {3, 4}),
                          TensorView(sum, {3, 5})}));
  EXPECT_FALSE(assign({3, 5}, {0, 1}));
}

TEST_F(Known, LeavesHalfBytesToTheGuard) {
  Guard halves =
      makeGuard({tensor("x", Direction::In, {symbol("M")}, DType::Int4)});
  int64_t size[] = {6};
  EXPECT_FALSE(call.assign(halves, {TensorView(x, DType::Int4, size)}));
  EXPECT_FALSE(call.assign(halves, {TensorView(x, DType::UInt8, size)}));
}

TEST_F(Known, LeavesManyArgumentsToTheGuard) {
  std::vector<Parameter> parameters;
  std::vector<Argument> arguments;
  for (size_t i = 0; i < CachedCall::mostTensors; ++i) {
    parameters.push_back(tensor("x", Direction::In, {symbol("M")}));
    arguments.emplace_back(TensorView(x, {4}));
  }
  EXPECT_TRUE(call.assign(makeGuard(parameters), arguments));
  parameters.push_back(tensor("x", Direction::In, {symbol("M")}));
  arguments.emplace_back(TensorView(x, {4}));
  EXPECT_FALSE(call.assign(makeGuard(parameters), arguments));
  parameters.assign(
      5, tensor("x", Direction::In, std::vector<Axis>(8, symbol("M"))));
  arguments.assign(5, TensorView(x, {1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_FALSE(call.assign(makeGuard(parameters), arguments));
}
