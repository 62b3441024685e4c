// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a process waits for a word of memory that another one changes. Spinning
/// is right while everybody has a core, and a thousand times too slow when not;
/// so one spins only then, yields for a while, and then sleeps.

#ifndef TEGULA_DIST_CONTROL_WAITING_H
#define TEGULA_DIST_CONTROL_WAITING_H

#include "tegula/launch/threads/UsableCores.h"

#include <atomic>
#include <cstdint>
#include <sched.h>

namespace tegula {

/// A word that processes share.
using Word = std::atomic<uint32_t>;
using LongWord = std::atomic<uint64_t>;

/// Sleeps while `word` is `value`, at most so long.
void sleepOn(Word &word, uint32_t value, int64_t milliseconds);

/// Wakes all that sleep on `word`.
void wakeAll(Word &word);

/// Nanoseconds since some time that all processes of a machine agree on.
int64_t readClock();

/// What is done before sleeping.
struct Patience {
  static constexpr int64_t yieldNanoseconds = 200000;

  int spins = 0;
  int yields = 0;

  /// For a process that is one of so many that run at once. It spins for some
  /// microseconds only: two may share a core where there is other work.
  static Patience amongRunning(int64_t processes) {
    return {processes <= countUsableCores() ? 300 : 0, 200};
  }

  /// Waits a little; true if `isDone`.
  template <typename IsDone> bool wait(const IsDone &isDone) const {
    for (int iteration = 0; iteration < spins; ++iteration) {
      if (isDone())
        return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    // An iteration is long if there is other work; then whoever sleeps comes
    // sooner.
    int64_t end = readClock() + yieldNanoseconds;
    for (int iteration = 0; iteration < yields && readClock() < end;
         ++iteration) {
      if (isDone())
        return true;
      sched_yield();
    }
    return isDone();
  }
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_WAITING_H
