// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/ir/interpreter/RankSignals.h"

#include <gtest/gtest.h>

using namespace tegula::pl;

namespace {

/// A signal of rank 0 that ranks 1 and 2 change.
class RankSignalsTest : public ::testing::Test {
protected:
  RankSignalsTest() {
    for (int64_t rank = 0; rank < 3; ++rank) {
      knowledge.emplace_back(3);
      knowledge.back().advance(rank);
    }
  }

  void notify(int64_t rank, int32_t value, NotifyKind kind = NotifyKind::Add) {
    signals.deliver({memory, value, kind, rank, knowledge[rank]});
    knowledge[rank].advance(rank);
  }
  void wait(int32_t expected) {
    signals.learn(0, memory, WaitKind::AtLeast, expected, knowledge[0]);
  }
  bool knows(int64_t rank, int64_t time) {
    return knowledge[0].windows.knows(rank, time);
  }

  alignas(4) char memory[4] = {};
  std::vector<RankKnowledge> knowledge;
  RankSignals signals;
};

} // namespace

TEST_F(RankSignalsTest, LearnsNoMoreThanWasNeeded) {
  notify(1, 1);
  notify(2, 1);
  EXPECT_EQ(readSignal(memory), 2);
  wait(1);
  EXPECT_TRUE(knows(1, 1));
  EXPECT_FALSE(knows(2, 1));
  wait(2);
  EXPECT_TRUE(knows(2, 1));
}

TEST_F(RankSignalsTest, LearnsFromAllWhoAdded) {
  notify(1, 1);
  notify(2, 1);
  wait(2);
  EXPECT_TRUE(knows(1, 1));
  EXPECT_TRUE(knows(2, 1));
}

TEST_F(RankSignalsTest, LearnsOnlyFromWhoSetIt) {
  notify(1, 1);
  notify(2, 5, NotifyKind::Set);
  wait(5);
  EXPECT_FALSE(knows(1, 1));
  EXPECT_TRUE(knows(2, 1));
}

TEST_F(RankSignalsTest, ForgetsValuesThatAreKnownToBeGone) {
  notify(1, 3);
  wait(3);
  notify(0, 0, NotifyKind::Set);
  notify(2, 3);
  wait(3);
  EXPECT_TRUE(knows(2, 1));
}
