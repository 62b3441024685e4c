// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a chip is doing, as a whole: it computes; or it only has bytes on
/// their way from or to another chip; or it only waits for a signal; or none
/// of these.

#ifndef TEGULA_SIM_ENGINE_CHIPACTIVITY_H
#define TEGULA_SIM_ENGINE_CHIPACTIVITY_H

#include "tegula/sim/engine/Clock.h"
#include <array>

namespace tegula::sim {

/// What counts first stands first.
enum class Activity : uint8_t { Compute, Communication, Waiting, Other };
constexpr unsigned numActivities = 4;

/// Adds up the time of each.
class ChipActivity {
public:
  void begin(Activity activity, Time now) { change(activity, 1, now); }
  void end(Activity activity, Time now) { change(activity, -1, now); }

  /// From the start to `end`; together they are all of it.
  std::array<Time, numActivities> finish(Time end) {
    settle(end);
    return times;
  }

private:
  void change(Activity activity, int64_t by, Time now) {
    settle(now);
    counts[static_cast<unsigned>(activity)] += by;
  }
  void settle(Time now) {
    unsigned first = 0;
    while (first + 1 < numActivities && counts[first] == 0)
      ++first;
    times[first] += now - settled;
    settled = now;
  }

  std::array<int64_t, numActivities> counts{};
  std::array<Time, numActivities> times{};
  Time settled = 0;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_CHIPACTIVITY_H
