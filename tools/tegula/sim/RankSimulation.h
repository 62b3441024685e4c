// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A program over ranks on as many chips of a simulated machine.

#ifndef TEGULA_TOOLS_RANKSIMULATION_H
#define TEGULA_TOOLS_RANKSIMULATION_H

#include "tegula/runtime/simulation/SimulatedKernel.h"

namespace tegula {

/// `program` as one kernel that so many ranks run, each on a chip of its own.
std::unique_ptr<SimulatedKernel>
makeRankSimulation(std::unique_ptr<SimulatedKernel> program, int64_t numRanks);

} // namespace tegula

#endif // TEGULA_TOOLS_RANKSIMULATION_H
