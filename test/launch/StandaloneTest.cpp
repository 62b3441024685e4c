// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/image/Standalone.h"
#include "tegula/launch/image/KernelImage.h"

#include "gtest/gtest.h"
#include <thread>

using namespace tegula;

/// y[i] = x[i] * factor, or an error if the factor is 0.
static void runScale(const int64_t *slots, TegulaCallState *state) {
  auto *x = reinterpret_cast<const int32_t *>(slots[0]);
  auto *y = reinterpret_cast<int32_t *>(slots[4]);
  for (int64_t index = 0; index < slots[1]; ++index)
    y[index] = x[index * slots[2]] * static_cast<int32_t>(slots[3]);
  if (slots[3] == 0)
    tegulaReportError(state, TegulaStepNotPositive, 0, 0, 0, 0);
}

/// What `tegula build` makes of the kernel above.
static std::string makeFacts() {
  std::vector<Axis> axes = {{std::nullopt, "M", std::nullopt}};
  KernelFacts facts;
  facts.signature.kernel = "scale";
  facts.signature.parameters = {
      {"x", Parameter::Kind::Tensor, Direction::In, DType::Int32, axes},
      {"factor", Parameter::Kind::Scalar, Direction::In, DType::Int8, {}},
      {"y", Parameter::Kind::Tensor, Direction::Out, DType::Int32, axes}};
  facts.entry = "tegula_scale";
  facts.sites = {"scale.py:3:5"};
  return writeFacts(facts);
}

namespace {

/// The kernel and a call of it.
struct Standalone : testing::Test {
  /// The message, with the code that the call returned before it.
  std::string call(int64_t factor, size_t room = 200) {
    std::string message(room, '#');
    TegulaStandaloneArgument arguments[3];
    arguments[0] = {TegulaStandaloneArgument::Tensor, {&x}};
    arguments[1].kind = TegulaStandaloneArgument::Signed;
    arguments[1].integer = factor;
    arguments[2] = {TegulaStandaloneArgument::Tensor, {&y}};
    int32_t status =
        tegulaStandaloneCall(&kernel, arguments, 3, message.data(), room);
    return std::to_string(status) +
           (status ? " " + std::string(message.c_str()) : "");
  }

  std::string facts = makeFacts();
  TegulaStandaloneKernel kernel = {runScale, facts.data(), facts.size(), "sse3",
                                   nullptr};
  int32_t from[4] = {1, 2, 3, 4}, to[4] = {};
  int64_t size = 4, stride = 1;
  TegulaTensor x = {from, static_cast<int32_t>(DType::Int32), 1, &size,
                    &stride};
  TegulaTensor y = {to, static_cast<int32_t>(DType::Int32), 1, &size, nullptr};
};

} // namespace

TEST_F(Standalone, ChecksAndRuns) {
  EXPECT_EQ(call(3), "0");
  EXPECT_EQ(to[3], 12);
  stride = -1;
  x.data = from + 3;
  EXPECT_EQ(call(2), "0");
  EXPECT_EQ(to[3], 2);
}

TEST_F(Standalone, SaysWhatIsWrong) {
  EXPECT_EQ(call(200),
            "1 argument 'factor': 200 does not fit INT8 (-128 to 127)");
  EXPECT_EQ(call(0),
            "2 scale.py:3:5: the step of a loop is 0, it must be positive");
  EXPECT_EQ(call(200, 10), "1 argument ");
  EXPECT_EQ(call(200, 1), "1 ");
  y.data = from;
  EXPECT_EQ(call(1).rfind("1 argument", 0), 0u);
  y.data = to;
  x.sizes = nullptr;
  EXPECT_EQ(call(1), "1 argument 'x': 'sizes' is null, but there are 1 axes");
}

TEST_F(Standalone, RefusesProcessorsThatLackSomething) {
  kernel.features = "sse3 warp9";
  EXPECT_EQ(call(1), "1 the library was compiled for processors with warp9, "
                     "which this one does not have");
}

TEST_F(Standalone, NoticesDamage) {
  kernel.factsSize -= 1;
  EXPECT_EQ(call(1), "1 the library is damaged");
}

TEST_F(Standalone, MayBeCalledByManyThreadsFirst) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number)
    threads.emplace_back([&, number] {
      std::vector<int32_t> own(4);
      TegulaTensor result = y;
      result.data = own.data();
      TegulaStandaloneArgument arguments[3];
      arguments[0] = {TegulaStandaloneArgument::Tensor, {&x}};
      arguments[1].kind = TegulaStandaloneArgument::Unsigned;
      arguments[1].integer = number;
      arguments[2] = {TegulaStandaloneArgument::Tensor, {&result}};
      tegulaStandaloneCall(&kernel, arguments, 3, nullptr, 0);
      EXPECT_EQ(own[3], 4 * number);
    });
  for (std::thread &thread : threads)
    thread.join();
}
