// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/ir/interpreter/AccessHistory.h"

#include <gtest/gtest.h>

using namespace tegula::pl;

namespace {

/// Two ranks and some bytes.
class AccessHistoryTest : public ::testing::Test {
protected:
  AccessHistoryTest() : knowledge(2, RankClock(2)) {
    knowledge[0].advance(0);
    knowledge[1].advance(1);
  }

  bool conflicts(int64_t rank, RankUse use, int begin, int end) {
    RankAccess access{rank, use, knowledge[rank][rank], nullptr};
    return history.add({bytes + begin, bytes + end}, access, knowledge[rank])
        .has_value();
  }
  /// What `from` did so far has happened before what `to` does next.
  void synchronize(int64_t from, int64_t to) {
    knowledge[to].join(knowledge[from]);
    knowledge[from].advance(from);
  }

  char bytes[64] = {};
  std::vector<RankClock> knowledge;
  AccessHistory history;
};

} // namespace

TEST_F(AccessHistoryTest, FindsWhatNothingOrders) {
  EXPECT_FALSE(conflicts(0, RankUse::Write, 0, 16));
  EXPECT_FALSE(conflicts(1, RankUse::Read, 16, 32));
  EXPECT_TRUE(conflicts(1, RankUse::Read, 15, 17));
}

TEST_F(AccessHistoryTest, FindsNothingAfterASynchronization) {
  EXPECT_FALSE(conflicts(0, RankUse::Write, 0, 16));
  synchronize(0, 1);
  EXPECT_FALSE(conflicts(1, RankUse::Write, 4, 8));
  EXPECT_FALSE(conflicts(0, RankUse::Write, 0, 4));
  EXPECT_FALSE(conflicts(0, RankUse::Write, 8, 16));
  EXPECT_TRUE(conflicts(0, RankUse::Read, 7, 8));
}

TEST_F(AccessHistoryTest, KeepsReadsUntilTheNextWrite) {
  EXPECT_FALSE(conflicts(0, RankUse::Read, 0, 8));
  EXPECT_FALSE(conflicts(1, RankUse::Read, 4, 12));
  synchronize(0, 1);
  EXPECT_FALSE(conflicts(1, RankUse::Write, 0, 16));
  EXPECT_TRUE(conflicts(0, RankUse::Read, 0, 1));
}

TEST_F(AccessHistoryTest, LetsUpdatesAndSignalsOverlap) {
  EXPECT_FALSE(conflicts(0, RankUse::Update, 0, 8));
  EXPECT_FALSE(conflicts(1, RankUse::Update, 0, 8));
  EXPECT_TRUE(conflicts(1, RankUse::Read, 0, 8));
  EXPECT_FALSE(conflicts(0, RankUse::NotifyAdd, 16, 20));
  EXPECT_FALSE(conflicts(1, RankUse::NotifyAdd, 16, 20));
  EXPECT_FALSE(conflicts(1, RankUse::Wait, 16, 20));
  EXPECT_TRUE(conflicts(1, RankUse::NotifySet, 16, 20));
}
