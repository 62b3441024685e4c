// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real ranks under mpirun.

#include "RunCommand.h"

#include "tegula/dist/control/Waiting.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tegula;
using testing::HasSubstr;

/// Runs a scenario on so many ranks.
static CommandResult runScenario(const std::string &name, int count,
                                 const std::string &settings = "") {
  return runCommand(settings + " " + mpirunCommand(count) +
                    TEGULA_RANK_SCENARIOS " " + name);
}

namespace {

/// A transport, and how many ranks.
class Ranks : public testing::TestWithParam<std::tuple<const char *, int>> {
protected:
  void expectFine(const std::string &name) {
    auto [transport, count] = GetParam();
    CommandResult result = runScenario(
        name, count, std::string("TEGULA_RANKS_TRANSPORT=") + transport);
    EXPECT_EQ(result.status, 0) << result.output;
  }
};

} // namespace

TEST_P(Ranks, ReachEachOther) {
  expectFine("shift strided-slices half-bytes updates barriers overlap");
}

TEST_P(Ranks, DispatchesAreAsIfOneAfterTheOther) {
  expectFine("random-dispatches");
}

TEST_P(Ranks, WindowsGrowAndHaveAnEnd) { expectFine("growth"); }

TEST_P(Ranks, GoOnAfterAnError) {
  if (std::get<1>(GetParam()) > 1)
    expectFine("failure disagreement mistakes failure");
}

TEST_P(Ranks, CallWithArraysOfTheirOwn) { expectFine("calls events"); }

INSTANTIATE_TEST_SUITE_P(Both, Ranks,
                         testing::Combine(testing::Values("shared", "mpi"),
                                          testing::Values(1, 2, 3, 4)));

TEST(RankFaults, SayWhoWaitsForWhat) {
  CommandResult result = runScenario("silence", 3, "TEGULA_RANKS_TIMEOUT=1");
  // Which of them is the first to give up is not known.
  EXPECT_THAT(result.output, HasSubstr(": waited 1 s in vain"));
  EXPECT_THAT(result.output, HasSubstr("rank 0 waits at f.py:2:1 for a signal "
                                       "to reach 5, it is 0, for "));
  EXPECT_THAT(result.output, HasSubstr("rank 2 runs"));
}

TEST(RankFaults, WhoWorksIsWaitedFor) {
  CommandResult result = runScenario("long-work", 2, "TEGULA_RANKS_TIMEOUT=1");
  EXPECT_EQ(result.status, 0) << result.output;
}

/// Rank 2 of three ends, and the others know it soon and end soon.
static void expectNamed(const std::string &scenario, const std::string &how) {
  CommandResult result = runScenario(scenario, 3);
  int64_t end = readClock();
  EXPECT_NE(result.status, 0);
  for (const char *rank : {"rank 0", "rank 1"})
    EXPECT_THAT(result.output,
                HasSubstr(std::string(rank) + ": f.py:2:1: rank 2 " + how +
                          " before the program was done"));
  auto timeOf = [&](const std::string &event) {
    size_t at = result.output.find(event + " at ");
    return at == std::string::npos
               ? int64_t(0)
               : std::stoll(result.output.substr(at + event.size() + 4));
  };
  // One on a machine that is free, which that of the tests need not be.
  constexpr int64_t second = 10 * int64_t(1000000000);
  int64_t fault = timeOf("rank 2 ends");
  EXPECT_LT(timeOf("rank 0 knows") - fault, second);
  EXPECT_LT(timeOf("rank 1 knows") - fault, second);
  EXPECT_LT(end - fault, 3 * second);
}

TEST(RankFaults, NameARankThatIsKilled) { expectNamed("killed", "ended"); }

TEST(RankFaults, NameARankThatLeaves) { expectNamed("left", "left"); }

TEST(RankFaults, IdleRanksSleep) {
  CommandResult result = runScenario("idle", 4);
  EXPECT_EQ(result.status, 0) << result.output;
}
