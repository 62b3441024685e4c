// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an operation takes of its unit if every cell, lane and byte of a cycle
/// is used. What it takes beyond that is padding, filling and waiting.

#ifndef TEGULA_SIM_COST_USEFULTIME_H
#define TEGULA_SIM_COST_USEFULTIME_H

#include "tegula/sim/engine/Clock.h"
#include "tegula/support/TraceAbi.h"

namespace tegula::sim {

/// Rounded down, so that it is never more than what the operation costs.
/// `formula` is that of a vector region, and not looked at for others.
Time getUsefulTime(const TegulaTraceOp &op, const TegulaTraceFormula *formula,
                   const Machine &machine);

} // namespace tegula::sim

#endif // TEGULA_SIM_COST_USEFULTIME_H
