// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/ranks/RankReport.h"

#include "gtest/gtest.h"

using namespace tegula;

using Doing = RankState::Doing;
using Awaited = RankState::Awaited;

static const std::string sites[] = {"f.py:1:1", "f.py:2:1"};

TEST(RankReport, SaysWhoWaitsWhereForWhat) {
  RankState states[] = {
      {Doing::Waiting, Awaited::SignalAtLeast, 1, -1, 3, 4, 30040},
      {Doing::Waiting, Awaited::Dispatch, 0, 2, 6, 7, 100},
      {Doing::Left},
      {Doing::Waiting, Awaited::Barrier, -1, 0},
      {Doing::Running}};
  EXPECT_EQ(formatRankStates(states, sites),
            "\n  rank 0 waits at f.py:2:1 for a signal to reach 4, it is 3, "
            "for 30.0 s"
            "\n  rank 1 waits at f.py:1:1 for dispatch 7 of rank 2, which has "
            "done 6, for 0.1 s"
            "\n  rank 2 has left"
            "\n  rank 3 waits for rank 0 at a barrier of all, for 0.0 s"
            "\n  rank 4 runs");
}

TEST(RankReport, SaysNothingOfTimeThatDoesNotCount) {
  RankState states[] = {
      {Doing::Waiting, Awaited::SignalEqual, 0, -1, 1, 2, -1}};
  EXPECT_EQ(formatRankStates(states, sites),
            "\n  rank 0 waits at f.py:1:1 for a signal to be 2, it is 1");
}

TEST(RankReport, CarriesTheErrorOfTheRankThatFailed) {
  TegulaCallState state = {TegulaRankFailed, 1, 0, 0, 2, 0};
  RankReport report;
  report.cause = {TegulaStepNotPositive, 0, 0, 0, -3, 0};
  EXPECT_EQ(describeRankProblem(state, sites, report).getText(),
            "rank 2 failed: f.py:1:1: the step of a loop is -3, it must be "
            "positive");
}

TEST(RankReport, DistinguishesLeavingFromEnding) {
  TegulaCallState state = {TegulaRankLost, 0, 0, 0, 1, 0};
  RankReport report;
  report.ranks = {{Doing::Running}, {Doing::Left}};
  EXPECT_EQ(describeRankProblem(state, sites, report).getText(),
            "f.py:1:1: rank 1 left before the program was done");
  report.ranks[1].doing = Doing::Lost;
  EXPECT_EQ(describeRankProblem(state, sites, report).getText(),
            "f.py:1:1: rank 1 ended before the program was done");
}

TEST(RankReport, NamesBothLocationsWhereRanksDisagree) {
  TegulaCallState state = {TegulaRanksDisagree, 0, 0, 0, 3, 1};
  EXPECT_EQ(describeRankProblem(state, sites, {}).getText(),
            "f.py:1:1: ranks disagree: rank 3 is at f.py:2:1");
}
