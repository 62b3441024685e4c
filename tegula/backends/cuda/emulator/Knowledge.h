// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What threads of a cluster know of each other: the times up to which what
/// another one did has certainly happened, because of a barrier or a wait.
/// Rounds of barriers in shared memory have times as well. So whether two
/// things are in order does not depend on when the emulator happened to do
/// them.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_KNOWLEDGE_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_KNOWLEDGE_H

#include "tegula/backends/cuda/emulator/ClusterShape.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tegula::emulator {

/// A time for every thread, and then for every barrier.
class Clock {
public:
  explicit Clock(size_t size) : times(size) {}

  uint32_t &operator[](size_t who) { return times[who]; }
  uint32_t operator[](size_t who) const { return times[who]; }
  void join(const Clock &other) {
    for (size_t i = 0; i < times.size(); ++i)
      times[i] = std::max(times[i], other.times[i]);
  }

private:
  std::vector<uint32_t> times;
};

class Knowledge {
public:
  /// Of a block.
  static constexpr int32_t mostBarriers = 64;

  const ClusterShape shape;

  explicit Knowledge(const ClusterShape &shape)
      : shape(shape), threads(shape.countThreads()),
        clocks(threads, makeClock()) {
    for (size_t i = 0; i < threads; ++i)
      clocks[i][i] = 1;
  }

  Clock makeClock() const {
    return Clock(threads + size_t(shape.blocks) * mostBarriers);
  }
  uint32_t getTime(int32_t thread) const { return clocks[thread][thread]; }
  bool knows(int32_t thread, int32_t who, uint32_t time) const {
    return clocks[thread][who] >= time;
  }
  bool knowsRound(int32_t thread, int32_t barrier, uint32_t round) const {
    return clocks[thread][threads + barrier] > round;
  }
  /// What a barrier passes on when a round of it has ended.
  void endRound(Clock &clock, int32_t barrier, uint32_t round) const {
    clock[threads + barrier] = round + 1;
  }

  /// Whoever takes what was given knows what the thread did up to now.
  void give(int32_t thread, Clock &to) {
    to.join(clocks[thread]);
    ++clocks[thread][thread];
  }
  void take(int32_t thread, const Clock &from) { clocks[thread].join(from); }

private:
  size_t threads;
  std::vector<Clock> clocks;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_KNOWLEDGE_H
