// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which tile a matmul is cut to: the closed form ranks, the simulator decides
/// among the first four.

#ifndef TEGULA_SIM_PROGRAMS_CHOOSETILE_H
#define TEGULA_SIM_PROGRAMS_CHOOSETILE_H

#include "tegula/sim/programs/GemmEstimate.h"
#include "tegula/support/Error.h"

namespace tegula::sim {

/// The best tile for `shape` on `machine`; an error if none fits. With
/// `numSimulated` 1 nothing is simulated.
[[nodiscard]] Expected<GemmTile> chooseGemmTile(const Machine &machine,
                                                const GemmShape &shape,
                                                const GemmVectorWork &work = {},
                                                size_t numSimulated = 4,
                                                const TilePolicy &policy = {});

/// Where `machine` keeps accumulators.
TegulaTraceSpace getAccSpace(const Machine &machine);

} // namespace tegula::sim

#endif // TEGULA_SIM_PROGRAMS_CHOOSETILE_H
