// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a rank knows of what others have done: a vector clock. Each rank counts
/// the times it has told others something; what it does between two of these
/// has the number of the later one.

#ifndef TEGULA_IR_INTERPRETER_RANKCLOCK_H
#define TEGULA_IR_INTERPRETER_RANKCLOCK_H

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>

namespace tegula::pl {

/// For each rank the time up to which what it did has happened before.
class RankClock {
public:
  RankClock() = default;
  explicit RankClock(int64_t ranks) : times(ranks, 0) {}

  int64_t size() const { return static_cast<int64_t>(times.size()); }
  int64_t operator[](int64_t rank) const { return times[rank]; }
  void advance(int64_t rank) { ++times[rank]; }
  /// True if what `rank` did at `time` has happened before.
  bool knows(int64_t rank, int64_t time) const { return time <= times[rank]; }
  void join(const RankClock &other) {
    for (size_t rank = 0; rank < other.times.size(); ++rank)
      times[rank] = std::max(times[rank], other.times[rank]);
  }

private:
  llvm::SmallVector<int64_t, 4> times;
};

/// Dispatches order what is done to tensors of the host program, but not what
/// is done to windows; signals and barriers order both.
struct RankKnowledge {
  RankClock windows, tensors;

  explicit RankKnowledge(int64_t ranks) : windows(ranks), tensors(ranks) {}

  int64_t getCount() const { return windows.size(); }
  void join(const RankKnowledge &other) {
    windows.join(other.windows);
    tensors.join(other.tensors);
  }
  void advance(int64_t rank) {
    windows.advance(rank);
    tensors.advance(rank);
  }
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_RANKCLOCK_H
