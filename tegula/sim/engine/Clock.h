// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time is whole numbers, so that runs repeat exactly. A tick is a fraction of
/// a core cycle, fine enough for bandwidths that are no whole bytes per cycle.

#ifndef TEGULA_SIM_ENGINE_CLOCK_H
#define TEGULA_SIM_ENGINE_CLOCK_H

#include "tegula/sim/machine/Machine.h"
#include <cmath>
#include <cstdint>

namespace tegula::sim {

/// A moment or a duration, in ticks.
using Time = int64_t;

constexpr Time ticksPerCycle = 256;

constexpr Time fromCycles(int64_t cycles) { return cycles * ticksPerCycle; }

/// Rounded up, so that nothing is faster than it can be.
inline Time fromCycles(double cycles) {
  return static_cast<Time>(std::ceil(cycles * ticksPerCycle - 1e-6));
}

/// Whole cycles that `time` reaches into.
constexpr int64_t toCycles(Time time) {
  return (time + ticksPerCycle - 1) / ticksPerCycle;
}

inline Time fromNs(double ns, const Machine &machine) {
  return fromCycles(ns * machine.coreClockMhz / 1e3);
}

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_CLOCK_H
