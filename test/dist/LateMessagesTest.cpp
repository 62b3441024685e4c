// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks as threads, of which one is told of the others late.

#include "tegula/dist/control/ProcessRanks.h"

#include "gtest/gtest.h"

#include <condition_variable>
#include <cstring>
#include <thread>

using namespace tegula;

namespace {

/// What ranks of one process share.
struct Machine {
  static constexpr int64_t numRanks = 3;

  std::mutex lock;
  std::condition_variable changed;
  /// By segment and rank.
  std::vector<std::vector<std::vector<char>>> memory;
  int64_t numArrived = 0, numBarriers = 0;
  /// The words of `lateFrom` do not reach `lateTo` while it is so.
  bool isLate = false;
  static constexpr int64_t lateFrom = 2, lateTo = 1;
  /// How often `lateTo` still looks until it is so no more; 0 for ever.
  int64_t numLooks = 0;

  void set(bool late) {
    std::lock_guard<std::mutex> guard(lock);
    isLate = late;
    changed.notify_all();
  }
  /// Waits for all ranks.
  void barrier() {
    std::unique_lock<std::mutex> guard(lock);
    int64_t round = numBarriers;
    if (++numArrived == numRanks) {
      numArrived = 0;
      ++numBarriers;
      changed.notify_all();
    }
    changed.wait(guard, [&] { return numBarriers != round; });
  }
};

/// One rank of a machine, which reaches others by copies only.
class ThreadTransport : public Transport, Messages {
public:
  ThreadTransport(Machine &machine, int64_t number) : machine(machine) {
    rank = number;
    count = localCount = Machine::numRanks;
  }

  Problem createSegment(int64_t bytes, SegmentKind, Segment &segment) override {
    segment.number = numSegments++;
    segment.bytes = bytes;
    machine.barrier();
    {
      std::lock_guard<std::mutex> guard(machine.lock);
      if (segment.number == int32_t(machine.memory.size()))
        machine.memory.emplace_back(count, std::vector<char>(bytes + 64));
    }
    machine.barrier();
    segment.parts.assign(count, nullptr);
    segment.parts[rank] = findPart(segment.number, rank);
    return {};
  }
  Messages *getMessages() override { return this; }
  void setLeaving(void (*)(void *), void *) override {}
  bool isOver() const override { return false; }

  Problem read(const RemoteBox &box, void *memory) override {
    std::lock_guard<std::mutex> guard(machine.lock);
    std::memcpy(memory, find(box), box.sizes[0]);
    return {};
  }
  Problem write(const RemoteBox &box, const void *memory) override {
    std::unique_lock<std::mutex> guard(machine.lock);
    machine.changed.wait(guard, [&] {
      bool areWords = box.sizes[0] == offsetof(RankRow, arrivals);
      return !machine.isLate || rank != Machine::lateFrom ||
             box.peer != Machine::lateTo || !areWords;
    });
    std::memcpy(find(box), memory, box.sizes[0]);
    return {};
  }
  Problem addTo(const RemoteBox &, int32_t) override { return {}; }
  Problem setTo(const RemoteBox &, int32_t) override { return {}; }
  Problem replace(const RemoteBox &, int32_t, int32_t, int32_t &) override {
    return {};
  }
  void poll() override {
    std::lock_guard<std::mutex> guard(machine.lock);
    if (rank == Machine::lateTo && machine.numLooks > 0 &&
        --machine.numLooks == 0) {
      machine.isLate = false;
      machine.changed.notify_all();
    }
  }

private:
  char *findPart(int32_t segment, int64_t owner) {
    auto address =
        reinterpret_cast<uintptr_t>(machine.memory[segment][owner].data());
    return reinterpret_cast<char *>((address + 63) / 64 * 64);
  }
  char *find(const RemoteBox &box) {
    return findPart(box.segment, box.peer) + box.offset;
  }

  Machine &machine;
  int32_t numSegments = 0;
};

/// Runs `act` on all ranks at once.
template <typename Act> void runOnRanks(const Act &act) {
  Machine machine;
  std::vector<std::thread> threads;
  for (int64_t rank = 0; rank < Machine::numRanks; ++rank)
    threads.emplace_back([&, rank] {
      std::unique_ptr<ProcessRanks> ranks;
      ASSERT_FALSE(ProcessRanks::create(
          std::make_unique<ThreadTransport>(machine, rank), {}, ranks));
      act(*ranks, machine);
      machine.barrier();
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace

TEST(LateMessages, AFailureAfterABarrierIsNoneOfTheBarrier) {
  runOnRanks([](ProcessRanks &ranks, Machine &machine) {
    TegulaCallState state = {};
    CallLocation location = {&state, 0};
    ranks.barrier(7, location);
    machine.barrier();
    machine.set(true);
    machine.barrier();
    // The first rank sees that all are here, and fails.
    ranks.barrier(8, location);
    EXPECT_EQ(state.error, TegulaNoError) << ranks.getRank();
    if (ranks.getRank() == 0)
      location.report(TegulaStepNotPositive, 0);
    if (ranks.getRank() == Machine::lateTo)
      machine.set(false);
    ranks.endHost(location);
    EXPECT_EQ(state.error,
              ranks.getRank() == 0 ? TegulaStepNotPositive : TegulaRankFailed);
  });
}

TEST(LateMessages, WhoHasEndedMayLeave) {
  runOnRanks([](ProcessRanks &ranks, Machine &machine) {
    TegulaCallState state = {};
    CallLocation location = {&state, 0};
    ranks.barrier(7, location);
    machine.barrier();
    machine.set(true);
    machine.barrier();
    ranks.endHost(location);
    EXPECT_EQ(state.error, TegulaNoError) << ranks.getRank();
    ranks.leave();
    // Others have seen it leave by then.
    std::lock_guard<std::mutex> guard(machine.lock);
    if (ranks.getRank() == 0)
      machine.numLooks = 300;
  });
}
