// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/ThreadBarriers.h"

#include "tegula/backends/cuda/emulator/Emulation.h"

using namespace tegula;
using namespace tegula::emulator;

static std::string text(int64_t number) { return std::to_string(number); }

NumberedBarriers::NumberedBarriers(Knowledge &knowledge)
    : knowledge(knowledge) {
  for (uint32_t i = 0; i < count; ++i)
    barriers.push_back({0, 0, 0, knowledge.makeClock(), knowledge.makeClock()});
}

struct NumberedBarriers::RoundWait : Wait {
  const Barrier &barrier;
  uint32_t number;
  uint64_t round;

  RoundWait(const Barrier &barrier, uint32_t number)
      : barrier(barrier), number(number), round(barrier.rounds) {}
  bool isOver() const override { return barrier.rounds != round; }
  std::string describe() const override {
    return "at barrier " + text(number) + " (" + text(barrier.arrived) +
           " of " + text(barrier.wanted) + " have come)";
  }
};

void NumberedBarriers::arrive(int32_t thread, uint32_t number, uint32_t threads,
                              bool stays) {
  if (number >= count)
    getEmulation().fail("there is no barrier " + text(number));
  Barrier &barrier = barriers[number];
  if (threads % 32 != 0 || threads == 0)
    getEmulation().fail("barrier " + text(number) + " is for " + text(threads) +
                        " threads, which are no whole warps");
  if (barrier.arrived != 0 && barrier.wanted != threads)
    getEmulation().fail("barrier " + text(number) + " is for " +
                        text(barrier.wanted) + " threads and for " +
                        text(threads));
  barrier.wanted = threads;
  knowledge.give(thread, barrier.coming);
  RoundWait wait(barrier, number);
  if (++barrier.arrived == threads) {
    barrier.arrived = 0;
    ++barrier.rounds;
    barrier.ended = barrier.coming;
  }
  if (!stays)
    return;
  getEmulation().waitFor(wait);
  knowledge.take(thread, barrier.ended);
}

struct WarpExchange::RoundWait : Wait {
  const Warp &warp;
  uint64_t round;

  explicit RoundWait(const Warp &warp) : warp(warp), round(warp.rounds) {}
  bool isOver() const override { return warp.rounds != round; }
  std::string describe() const override {
    return "for other lanes of their warp";
  }
};

const WarpExchange::Words *WarpExchange::exchange(int32_t thread,
                                                  const Words &words) {
  Warp &warp = warps[thread / lanes];
  RoundWait wait(warp);
  warp.given[thread % lanes] = words;
  if (++warp.arrived == lanes) {
    warp.arrived = 0;
    ++warp.rounds;
    std::copy(std::begin(warp.given), std::end(warp.given), warp.taken);
  }
  getEmulation().waitFor(wait);
  return warp.taken;
}

/// A chip has so many for a block; threads begin with a multiple of eight.
Registers::Registers(int32_t threads) {
  constexpr int32_t all = 1 << 16, most = 255, step = 8;
  owned.assign(threads, std::min(all / threads, most) / step * step);
}

struct Registers::FreeWait : Wait {
  const int64_t &free;
  int32_t wanted, more;

  FreeWait(const int64_t &free, int32_t wanted, int32_t more)
      : free(free), wanted(wanted), more(more) {}
  bool isOver() const override { return free >= more; }
  std::string describe() const override {
    return "for " + text(wanted) + " registers that nobody gives back";
  }
};

void Registers::giveBack(int32_t thread, int32_t number) {
  if (number > owned[thread])
    getEmulation().fail("thread " + text(thread) + " keeps " + text(number) +
                        " registers and has " + text(owned[thread]));
  free += owned[thread] - number;
  owned[thread] = number;
}

void Registers::take(int32_t thread, int32_t number) {
  int32_t more = number - owned[thread];
  if (more < 0)
    getEmulation().fail("thread " + text(thread) + " takes " + text(number) +
                        " registers and has " + text(owned[thread]));
  getEmulation().waitFor(FreeWait(free, number, more));
  free -= more;
  owned[thread] = number;
}
