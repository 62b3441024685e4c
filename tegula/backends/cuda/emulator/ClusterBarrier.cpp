// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/ClusterBarrier.h"

#include "tegula/backends/cuda/emulator/Emulation.h"

using namespace tegula;
using namespace tegula::emulator;

ClusterBarrier::ClusterBarrier(Knowledge &knowledge)
    : knowledge(knowledge), comeTo(knowledge.shape.countThreads(), nowhere),
      staying(knowledge.shape.countThreads()), coming(knowledge.makeClock()),
      ended(knowledge.makeClock()) {}

struct ClusterBarrier::RoundWait : Wait {
  const ClusterBarrier &barrier;
  int64_t round;

  RoundWait(const ClusterBarrier &barrier, int64_t round)
      : barrier(barrier), round(round) {}
  bool isOver() const override { return barrier.round > round; }
  std::string describe() const override {
    return "at the barrier of their cluster (" +
           std::to_string(barrier.arrived) + " of " +
           std::to_string(barrier.staying) + " have come)";
  }
};

void ClusterBarrier::endRound() {
  if (staying == 0 || arrived < staying)
    return;
  arrived = 0;
  ++round;
  ended = coming;
}

void ClusterBarrier::arrive(int32_t thread, bool releases) {
  if (comeTo[thread] != nowhere)
    getEmulation().fail(knowledge.shape.nameThread(thread) +
                        " comes to the barrier of its cluster again before it "
                        "has waited there");
  if (releases)
    knowledge.give(thread, coming);
  comeTo[thread] = round;
  ++arrived;
  endRound();
}

void ClusterBarrier::await(int32_t thread, bool learns) {
  if (comeTo[thread] == nowhere)
    getEmulation().fail(knowledge.shape.nameThread(thread) +
                        " waits at the barrier of its cluster, to which it "
                        "has not come");
  getEmulation().waitFor(RoundWait(*this, comeTo[thread]));
  comeTo[thread] = nowhere;
  if (learns)
    knowledge.take(thread, ended);
}

void ClusterBarrier::leave(int32_t thread) {
  --staying;
  if (comeTo[thread] == round)
    --arrived;
  endRound();
}
