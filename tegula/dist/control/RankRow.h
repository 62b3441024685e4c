// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each rank tells the others of itself, in memory they all can read.
///
/// Times are counted as moments: the number of the call in the high bits and
/// what is counted within it (dispatches, barriers) in the low ones. A rank in
/// a later call has passed every moment of an earlier one.

#ifndef TEGULA_DIST_CONTROL_RANKROW_H
#define TEGULA_DIST_CONTROL_RANKROW_H

#include "tegula/dist/control/Waiting.h"
#include "tegula/launch/ranks/RankReport.h"

namespace tegula {

/// A number within a call.
constexpr uint64_t makeMoment(uint64_t call, uint64_t number) {
  return call << 40 | number;
}
constexpr uint64_t callOf(uint64_t moment) { return moment >> 40; }
constexpr uint64_t numberOf(uint64_t moment) {
  return moment & ((uint64_t(1) << 40) - 1);
}

/// What the runtime's own barriers are for; those of programs are hashes.
struct OwnBarrier {
  enum : int64_t { Start = 1, Growth, Agreement, Staged, End };
};

/// What a rank brings to a barrier.
struct Arrival {
  int64_t what;
  int64_t value;
  int64_t site;
};

/// The words of one rank. It alone writes them.
struct alignas(64) RankRow {
  /// Grows with every change; who waits for one sleeps on it.
  Word changes;
  /// A RankState::Doing.
  Word doing;
  /// The last dispatch that is done, and the last barrier it came to.
  LongWord progress, barrier;
  /// The last call it ended, and the one it has cleaned its windows for.
  LongWord ended, ready;
  /// The last call in which it failed.
  LongWord failedCall;

  /// By the parities of the call and the barrier: nobody is two ahead of
  /// another.
  alignas(64) Arrival arrivals[2][2];
  int64_t pid;
  /// While it waits.
  alignas(64) RankState waiting;
  int64_t since;
  alignas(64) TegulaCallState failure;
  /// What it calls, while ranks agree on that.
  char text[512];
};

/// Words of one rank that others write.
struct alignas(64) RankDoor {
  /// How many sleep on the row of this rank, and how many of its own threads on
  /// its signals.
  Word sleepers, signalSleepers;
  /// Taken while some rank changes memory of this one.
  Word updating;
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_RANKROW_H
