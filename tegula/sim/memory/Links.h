// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The links between the chips of several ranks. What goes from chip to chip
/// takes the shortest way, in a plane along its row first, and shares the
/// links on it with all that pass.

#ifndef TEGULA_SIM_MEMORY_LINKS_H
#define TEGULA_SIM_MEMORY_LINKS_H

#include "tegula/sim/engine/Clock.h"
#include <functional>
#include <map>

namespace tegula::sim {

/// What one link, from a chip to the next, carried.
struct LinkTraffic {
  int64_t from = 0;
  int64_t to = 0;
  int64_t bytes = 0;
  /// For how long it carried something.
  Time busy = 0;
};

/// A link in use, from when to when.
struct LinkUse {
  int64_t from;
  int64_t to;
  int64_t bytes;
  Time start;
  Time end;
};

/// Links, each busy until some time.
class Links {
public:
  Links(const Machine &machine, int64_t numChips);

  /// Carries `bytes` from one chip to another, which begin to leave at `time`;
  /// returns when the last is there.
  Time carry(int64_t from, int64_t to, int64_t bytes, Time time);
  /// Who is told of every use.
  void setListener(std::function<void(const LinkUse &)> newListener) {
    listener = std::move(newListener);
  }
  /// How long something without bytes is on its way.
  Time getLatency(int64_t from, int64_t to) const;

  /// The links that were used, by their ends.
  std::vector<LinkTraffic> getTraffic() const;
  /// Bytes from each chip to each, those from chip 0 first.
  const std::vector<int64_t> &getPairBytes() const { return pairBytes; }

private:
  struct Link {
    Time free = 0;
    LinkTraffic traffic;
  };
  /// The chip after `at` on the way to `to`.
  int64_t step(int64_t at, int64_t to) const;
  int64_t stepAlong(int64_t at, int64_t to, int64_t length) const;

  LinkTopology topology;
  int64_t numChips;
  int64_t columns;
  int64_t rows;
  double cyclesPerByte;
  Time latency;
  std::map<std::pair<int64_t, int64_t>, Link> links;
  std::vector<int64_t> pairBytes;
  std::function<void(const LinkUse &)> listener;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_LINKS_H
