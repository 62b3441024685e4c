// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpList.h"
#include "gmock/gmock.h"

using namespace tegula;
using namespace tegula::sim;

/// What rank r does is list r.
static Expected<Result>
simulateLists(const Machine &machine,
              const std::vector<std::vector<TegulaTraceOp>> &lists) {
  std::vector<std::unique_ptr<OpList>> programs;
  std::vector<Tenant> tenants;
  for (const std::vector<TegulaTraceOp> &list : lists) {
    programs.push_back(std::make_unique<OpList>(
        std::vector<std::vector<TegulaTraceOp>>{list}));
    Tenant tenant;
    tenant.name = "rank";
    tenant.kernels = {&programs.back()->getKernel()};
    tenant.chip = int64_t(tenants.size());
    tenants.push_back(std::move(tenant));
  }
  return simulate(machine, tenants);
}

static Result
simulateListsWell(const Machine &machine,
                  const std::vector<std::vector<TegulaTraceOp>> &lists) {
  Expected<Result> result = simulateLists(machine, lists);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

/// A link carries 50 bytes in a cycle, and a hop takes 500 cycles.
static Machine makeMachine(LinkTopology topology) {
  Machine machine = makeBareMachine();
  machine.linkTopology = topology;
  machine.linkBandwidthGbPerS = 50;
  machine.linkLatencyNs = 500;
  return machine;
}

static TegulaTraceOp makeRemote(TegulaTraceKind kind, int64_t peer,
                                int64_t bytes) {
  TegulaTraceOp op = makeTransfer(kind, 0, bytes, 0);
  op.peer = int32_t(peer + 1);
  return op;
}

static TegulaTraceOp makeSignal(TegulaTraceKind kind, int64_t value,
                                int64_t peer = -1) {
  TegulaTraceOp op{};
  op.kind = kind;
  op.base = 77;
  op.line = 12;
  op.rows = int32_t(value);
  op.peer = int32_t(peer + 1);
  return op;
}

static int64_t loadFrom(LinkTopology topology, int64_t peer, int64_t numChips,
                        int64_t columns = 4) {
  Machine machine = makeMachine(topology);
  machine.linkMeshColumns = columns;
  std::vector<std::vector<TegulaTraceOp>> lists(numChips);
  lists[0] = {makeRemote(TegulaTraceLoad, peer, 50000)};
  return simulateListsWell(machine, lists).getCycles();
}

TEST(Ranks, ATransferTakesItsBytesAndTheHopsBothWays) {
  // Asking takes a hop, and so does what comes.
  EXPECT_NEAR(loadFrom(LinkTopology::Ring, 1, 8), 1000 + 2 * 500, 5);
  EXPECT_NEAR(loadFrom(LinkTopology::Ring, 4, 8), 1000 + 8 * 500, 5);
  EXPECT_NEAR(loadFrom(LinkTopology::Ring, 7, 8), 1000 + 2 * 500, 5);
  EXPECT_NEAR(loadFrom(LinkTopology::Full, 4, 8), 1000 + 2 * 500, 5);
  // Chip 11 is in the third of three rows, at the end of it.
  EXPECT_NEAR(loadFrom(LinkTopology::Mesh, 11, 12), 1000 + 10 * 500, 5);
  EXPECT_NEAR(loadFrom(LinkTopology::Torus, 11, 12), 1000 + 4 * 500, 5);
}

TEST(Ranks, AStoreDoesNotAskFirst) {
  Machine machine = makeMachine(LinkTopology::Ring);
  Result result = simulateListsWell(
      machine, {{makeRemote(TegulaTraceStore, 1, 50000)}, {}});
  EXPECT_NEAR(double(result.getCycles()), 1000 + 500, 5);
  EXPECT_EQ(result.dram.bytesWritten, 50000);
  EXPECT_THAT(result.pairBytes, testing::ElementsAre(0, 50000, 0, 0));
}

TEST(Ranks, TransfersShareTheLinksOnTheirWay) {
  Machine machine = makeMachine(LinkTopology::Mesh);
  machine.linkMeshColumns = 8;
  // Both pass from chip 1 to chip 2.
  Result shared =
      simulateListsWell(machine, {{makeRemote(TegulaTraceStore, 2, 50000)},
                                  {makeRemote(TegulaTraceStore, 2, 50000)},
                                  {}});
  EXPECT_GE(shared.getCycles(), 2000);
  ASSERT_EQ(shared.links.size(), 2u);
  EXPECT_EQ(shared.links[1].from, 1);
  EXPECT_EQ(shared.links[1].to, 2);
  EXPECT_EQ(shared.links[1].bytes, 100000);
  // The other way is another link.
  Result apart =
      simulateListsWell(machine, {{makeRemote(TegulaTraceStore, 1, 50000)},
                                  {makeRemote(TegulaTraceStore, 0, 50000)}});
  EXPECT_NEAR(double(apart.getCycles()), 1500, 5);
}

TEST(Ranks, AWaitEndsAHopAfterWhatWasNotifiedIsDone) {
  Machine machine = makeMachine(LinkTopology::Ring);
  Result result = simulateListsWell(
      machine, {{makeVector(1000, 1024), makeSignal(TegulaTraceNotify, 1, 1)},
                {makeSignal(TegulaTraceWait, 1), makeVector(10, 1024)}});
  EXPECT_NEAR(double(result.getCycles()), 1000 + 500 + 10, 5);
  ASSERT_EQ(result.chips.size(), 2u);
  const auto &first = result.chips[0].activities;
  const auto &second = result.chips[1].activities;
  EXPECT_NEAR(double(first[int(Activity::Compute)]), fromCycles(1000.0), 512);
  EXPECT_NEAR(double(second[int(Activity::Compute)]), fromCycles(10.0), 512);
  EXPECT_NEAR(double(second[int(Activity::Waiting)]), fromCycles(1500.0), 512);
  const UnitTime &vector = result.cores[1][Unit::Vector];
  EXPECT_EQ(vector.getTotal(), result.total);
  EXPECT_GT(vector.getStall(Stall::Signal), fromCycles(1490.0));
}

TEST(Ranks, ActivitiesAddUpToTheWholeTime) {
  Machine machine = makeMachine(LinkTopology::Ring);
  Result result = simulateListsWell(
      machine, {{makeRemote(TegulaTraceLoad, 1, 50000), makeVector(100, 1024),
                 makeSignal(TegulaTraceNotify, 1, 1)},
                {makeVector(7, 1024), makeSignal(TegulaTraceWait, 1)}});
  for (const ChipResult &chip : result.chips) {
    Time sum = 0;
    for (Time time : chip.activities)
      sum += time;
    EXPECT_EQ(sum, result.total);
  }
  EXPECT_GT(result.chips[0].activities[int(Activity::Communication)], 0);
}

TEST(Ranks, AWaitThatNobodyEndsIsNamed) {
  Expected<Result> result = simulateLists(
      makeMachine(LinkTopology::Ring), {{makeSignal(TegulaTraceNotify, 2, 1)},
                                        {makeSignal(TegulaTraceWait, 3)}});
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "rank 1 waits in line 12 for a signal to be 3 or more, which is 2 "
            "when all other ranks are done or wait, too");
}

TEST(Ranks, ARankThatIsNotThereIsRefused) {
  Expected<Result> result =
      simulateLists(makeMachine(LinkTopology::Ring),
                    {{makeRemote(TegulaTraceLoad, 2, 64)}, {}});
  ASSERT_FALSE(static_cast<bool>(result));
  EXPECT_THAT(llvm::toString(result.takeError()),
              testing::HasSubstr("a transfer from or to no rank"));
}
