// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/RankProgram.h"

#include "OpList.h"
#include "tegula/sim/producer/PushedKernel.h"
#include "tegula/sim/producer/RecordedKernel.h"
#include "gmock/gmock.h"

using namespace tegula;
using namespace tegula::sim;

namespace {

/// Tells as compiled code does.
class Emitter {
public:
  explicit Emitter(TegulaCallState *state)
      : call(reinterpret_cast<TegulaTraceCall *>(state)) {}

  int64_t ask(TegulaTraceQuestion question, std::vector<int64_t> numbers = {}) {
    numbers.insert(numbers.begin(), 7);
    return call->ask(call, question, numbers.data());
  }
  int64_t peerOf(int64_t own, int64_t peer, int64_t elements) {
    int64_t shape[] = {elements, 1};
    return ask(TegulaTracePeerBegin,
               {own, peer, reinterpret_cast<int64_t>(shape), 1, 32,
                TegulaPeerRead, 0});
  }
  void move(TegulaTraceKind kind, int64_t address, int64_t elements) {
    bool isLoad = kind == TegulaTraceLoad;
    int64_t numbers[] = {
        7,       0, 0, 0,        !isLoad, isLoad, 0, 0, elements * 4,
        address, 4, 1, elements, 1};
    call->emit(call, kind, numbers);
  }

private:
  TegulaTraceCall *call;
};

} // namespace

/// An all-reduce around a ring without its sums, of as many elements as the
/// first slot says.
static void emitRing(const int64_t *slots, TegulaCallState *state) {
  Emitter emitter(state);
  int64_t rank = emitter.ask(TegulaTraceRank);
  int64_t count = emitter.ask(TegulaTraceRankCount);
  int64_t window = emitter.ask(TegulaTraceWindowAllocate, {4 * slots[0], 0});
  int64_t share = slots[0] / count;
  for (int64_t step = 0; step < 2 * (count - 1); ++step) {
    int64_t left = (rank + count - 1) % count;
    emitter.move(TegulaTraceLoad, emitter.peerOf(window, left, share), share);
    emitter.move(TegulaTraceStore, window, share);
    emitter.ask(TegulaTraceMeet, {1234, 0});
  }
}

/// Rank 1 is dispatched what reads what rank 0 was dispatched to write.
static void emitDispatches(const int64_t *slots, TegulaCallState *state) {
  Emitter emitter(state);
  int64_t shape[] = {1 << 16, 1};
  for (int64_t device : {0, 1}) {
    TegulaTensorUse use{reinterpret_cast<void *>(slots[0]),
                        shape,
                        1,
                        32,
                        device == 1,
                        device == 0};
    if (!emitter.ask(TegulaTraceDispatchBegin,
                     {device, reinterpret_cast<int64_t>(&use), 1, 0}))
      continue;
    emitter.move(device == 0 ? TegulaTraceStore : TegulaTraceLoad, slots[0],
                 1 << 16);
    emitter.ask(TegulaTraceDispatchEnd, {0});
  }
}

/// Ranks 0 and 1 are dispatched what writes columns of one matrix of 64 x 2048;
/// if the slot is odd, one column is of both.
static void emitColumns(const int64_t *slots, TegulaCallState *state) {
  Emitter emitter(state);
  int64_t shape[] = {64, 1024, 2048, 1};
  for (int64_t device : {0, 1}) {
    int64_t first = slots[0] % 2 == 0 ? 1024 : 1023;
    int64_t address = slots[0] / 4 * 4 + device * 4 * first;
    TegulaTensorUse use{reinterpret_cast<void *>(address), shape, 2, 32, 0, 1};
    if (!emitter.ask(TegulaTraceDispatchBegin,
                     {device, reinterpret_cast<int64_t>(&use), 1, 0}))
      continue;
    emitter.move(TegulaTraceStore, address, 1 << 16);
    emitter.ask(TegulaTraceDispatchEnd, {0});
  }
}

/// Reaches for a rank that is not there.
static void emitWrongPeer(const int64_t *, TegulaCallState *state) {
  Emitter emitter(state);
  int64_t window = emitter.ask(TegulaTraceWindowAllocate, {64, 0});
  emitter.peerOf(window, 5, 16);
}

static std::vector<std::unique_ptr<PushedKernel>>
makeRanks(TegulaKernel code, int64_t slot, int64_t count) {
  std::vector<std::unique_ptr<PushedKernel>> ranks;
  for (int64_t rank = 0; rank < count; ++rank)
    ranks.push_back(std::make_unique<PushedKernel>(
        "program", code, std::vector<int64_t>{slot},
        std::vector<TracedTensor>(), std::vector<TegulaTraceFormula>()));
  return ranks;
}

static Result simulateTrace(const Machine &machine, TegulaKernel code,
                            int64_t slot, int64_t count) {
  auto ranks = makeRanks(code, slot, count);
  std::vector<const TegulaTraceKernel *> kernels;
  for (const auto &rank : ranks)
    kernels.push_back(&rank->getKernel());
  Expected<Result> result = simulateRanks(machine, kernels);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

TEST(RankProgram, ARingTakesWhatItsLinksTakeAtLeast) {
  Machine machine = makeBareMachine();
  constexpr int64_t elements = 1 << 18;
  for (int64_t count : {2, 4, 8}) {
    Result result = simulateTrace(machine, emitRing, elements, count);
    double bytes = 2.0 * double(count - 1) / double(count) * 4 * elements;
    double atLeast = bytes / machine.getLinkBytesPerCycle();
    EXPECT_GE(double(result.getCycles()), atLeast);
    // Loads of a hop and barriers across the ring are all that comes to it.
    EXPECT_LE(double(result.getCycles()),
              1.3 * atLeast + 2.0 * double(count) * (2 + double(count)) * 500);
    for (int64_t rank = 0; rank < count; ++rank)
      EXPECT_EQ(result.pairBytes[rank * count + (rank + 1) % count],
                int64_t(bytes));
  }
}

TEST(RankProgram, FasterLinksAreNotSlower) {
  Machine machine = makeBareMachine();
  int64_t last = INT64_MAX;
  for (double bandwidth : {5, 20, 80, 320}) {
    machine.linkBandwidthGbPerS = bandwidth;
    int64_t cycles = simulateTrace(machine, emitRing, 1 << 18, 4).getCycles();
    EXPECT_LT(cycles, last);
    last = cycles;
  }
}

TEST(RankProgram, RunsRepeatToTheTick) {
  Machine machine = makeBareMachine();
  machine.linkTopology = LinkTopology::Torus;
  EXPECT_EQ(simulateTrace(machine, emitRing, 1 << 16, 6).total,
            simulateTrace(machine, emitRing, 1 << 16, 6).total);
}

TEST(RankProgram, ADispatchWaitsForWhatAnotherRankWrote) {
  Machine machine = makeBareMachine();
  Result both = simulateTrace(machine, emitDispatches, 1 << 20, 2);
  int64_t moving = (4 << 16) / int64_t(machine.getDramBytesPerCycle());
  // The store, a hop, and the load.
  EXPECT_GE(both.getCycles(), 2 * moving + 500);
  EXPECT_GE(both.chips[1].activities[int(Activity::Waiting)],
            fromCycles(moving + 500));
  // A rank by itself knows the order.
  Result one = simulateTrace(machine, emitDispatches, 1 << 20, 1);
  EXPECT_LT(one.getCycles(), both.getCycles() - 500);
  EXPECT_TRUE(one.chips.empty());
}

TEST(RankProgram, DispatchesOnDisjointColumnsDoNotWait) {
  Machine machine = makeBareMachine();
  Result apart = simulateTrace(machine, emitColumns, 1 << 20, 2);
  int64_t moving = (4 << 16) / int64_t(machine.getDramBytesPerCycle());
  EXPECT_LT(apart.getCycles(), 2 * moving);
  // One column in common is enough.
  Result together = simulateTrace(machine, emitColumns, (1 << 20) + 1, 2);
  EXPECT_GE(together.getCycles(), 2 * moving + 500);
}

TEST(RankProgram, APeerThatIsNotThereIsAnErrorOfTheCall) {
  auto ranks = makeRanks(emitWrongPeer, 0, 1);
  ASSERT_TRUE(bool(simulateRanks(makeBareMachine(), &ranks[0]->getKernel())));
  EXPECT_EQ(ranks[0]->getState().error, TegulaNoSuchRank);
  EXPECT_EQ(ranks[0]->getState().index, 5);
  EXPECT_EQ(ranks[0]->getState().extent, 1);
}

TEST(RankProgram, WhatWasRecordedIsOneRank) {
  auto emitNothing = [](const int64_t *, TegulaCallState *) {};
  RecordedKernel recorded("program", emitNothing, {}, {}, {});
  const TegulaTraceKernel *kernel = &recorded.getKernel();
  EXPECT_TRUE(bool(simulateRanks(makeBareMachine(), {kernel})));
  Expected<Result> two = simulateRanks(makeBareMachine(), {kernel, kernel});
  ASSERT_FALSE(bool(two));
  EXPECT_EQ(llvm::toString(two.takeError()),
            "what 'program' does depends on data, so it can be simulated as "
            "one rank only, not as 2");
}
