// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/call/Variant.h"
#include "tegula/support/RanksAbi.h"

#include "gtest/gtest.h"
#include <thread>

using namespace tegula;

static const std::string sites[] = {"f.py:1:1", "f.py:2:1"};

static std::string describe(const TegulaCallState &state) {
  return describeRunProblem(state, sites).getText();
}

TEST(LocalRank, IsTheOnlyOne) {
  EXPECT_EQ(tegulaRank(), 0);
  EXPECT_EQ(tegulaRankCount(), 1);
}

TEST(LocalRank, RunsEveryDispatch) {
  TegulaCallState state = {};
  EXPECT_TRUE(tegulaDispatchBegin(0, nullptr, 0, &state, 0));
  tegulaDispatchEnd(&state, 0);
  EXPECT_TRUE(tegulaDispatchBegin(-1, nullptr, 0, &state, 0));
  tegulaDispatchEnd(&state, 0);
  EXPECT_FALSE(tegulaDispatchBegin(1, nullptr, 0, &state, 1));
  EXPECT_EQ(describe(state), "f.py:2:1: there is no rank 1, the ranks are 0 to "
                             "0");
}

TEST(LocalRank, PeerIsTheWindowItself) {
  TegulaCallState state = {};
  auto *window = static_cast<float *>(tegulaWindowAllocate(16, &state, 0));
  ASSERT_NE(window, nullptr);
  EXPECT_EQ(window[3], 0.0f);
  const int64_t shape[] = {2, 1};
  EXPECT_EQ(
      tegulaPeerBegin(window + 1, 0, shape, 1, 32, TegulaPeerWrite, &state, 0),
      window + 1);
  tegulaHostEnd(&state, 0);
  EXPECT_EQ(state.error, TegulaNoError);
}

TEST(LocalRank, RefusesWhatIsInNoWindow) {
  TegulaCallState state = {};
  float outside = 0;
  const int64_t shape[] = {1, 1};
  EXPECT_EQ(
      tegulaPeerBegin(&outside, 0, shape, 1, 32, TegulaPeerRead, &state, 0),
      nullptr);
  EXPECT_EQ(describe(state), "f.py:1:1: the tensor is in no window, other "
                             "ranks cannot reach it");
}

TEST(LocalRank, SignalsReachAnotherThread) {
  TegulaCallState state = {};
  auto *signal = static_cast<int32_t *>(tegulaWindowAllocate(4, &state, 0));
  std::thread other(
      [&] { tegulaNotify(signal, 0, 2, TegulaNotifyAdd, &state, 0); });
  tegulaWait(signal, 2, TegulaWaitAtLeast, &state, 0);
  other.join();
  EXPECT_EQ(*signal, 2);
  tegulaHostEnd(&state, 0);
  EXPECT_EQ(state.error, TegulaNoError);
}

TEST(LocalRank, SaysWhatCannotBeAllocated) {
  TegulaCallState state = {};
  EXPECT_EQ(tegulaWindowAllocate(INT64_MAX, &state, 0), nullptr);
  EXPECT_EQ(state.error, TegulaOutOfMemory);
}
