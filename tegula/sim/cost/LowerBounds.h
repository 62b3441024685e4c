// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What no run can beat: the work of each part of the machine at its peak, and
/// the time in which kernels are launched. Which of them is largest is what
/// bounds a kernel.

#ifndef TEGULA_SIM_COST_LOWERBOUNDS_H
#define TEGULA_SIM_COST_LOWERBOUNDS_H

#include "tegula/sim/engine/Result.h"

namespace tegula::sim {

/// A part of the machine.
enum class Bound : uint8_t { Arrays, Vector, Dram, Noc, Links, Launch };
constexpr unsigned numBounds = 6;

/// "arrays", for reports.
llvm::StringRef getName(Bound bound);

/// The least cycles of each part for the work that `result` counted.
std::array<double, numBounds> getLowerBounds(const Machine &machine,
                                             const Result &result);

} // namespace tegula::sim

#endif // TEGULA_SIM_COST_LOWERBOUNDS_H
