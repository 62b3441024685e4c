// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/RankMeasures.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tegula;
using testing::ElementsAre;
using testing::HasSubstr;

using Kind = RankEvent::Kind;

/// Rank 0 computes, reads and waits within a dispatch; rank 1 waits outside.
static RankEvents makeEvents() {
  return {{{Kind::Dispatch, 0, 1000, 11000, -1, 0},
           {Kind::Read, 1, 2000, 4000, 1, 640},
           {Kind::Wait, 1, 5000, 8000, -1, 0}},
          {{Kind::Wait, -1, 0, 7000, 0, 0}}};
}

TEST(RankMeasures, DistinguishComputingFromWaiting) {
  std::vector<RankMeasures> ranks = measureRanks(makeEvents());
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].computing, 5000);
  EXPECT_EQ(ranks[0].communicating, 2000);
  EXPECT_EQ(ranks[0].waiting, 3000);
  EXPECT_THAT(ranks[0].bytes, ElementsAre(0, 640));
  EXPECT_EQ(ranks[1].computing, 0);
  EXPECT_EQ(ranks[1].waiting, 7000);
}

TEST(RankMeasures, AreATable) {
  EXPECT_EQ(
      formatMeasures(measureRanks(makeEvents())),
      " rank   compute ms   communic. ms   waiting ms   bytes of 0   "
      "bytes of 1\n"
      "    0        0.005          0.002        0.003            0          "
      "640\n"
      "    1        0.000          0.000        0.007            0            "
      "0\n");
}

TEST(RankMeasures, AreATimeline) {
  const std::string sites[] = {"f.py:1:1", "a \"b\""};
  std::string text = writeRankTrace(makeEvents(), sites);
  EXPECT_THAT(text, HasSubstr(R"({"ph":"X","name":"dispatch","pid":0,"tid":0,)"
                              R"("ts":1.000,"dur":10.000,)"
                              R"("args":{"at":"f.py:1:1","bytes":0}})"));
  EXPECT_THAT(text, HasSubstr(R"("name":"read rank 1")"));
  EXPECT_THAT(text, HasSubstr(R"("at":"a \"b\"","bytes":640)"));
  EXPECT_THAT(text, HasSubstr(R"("args":{"name":"rank 1"})"));
}
