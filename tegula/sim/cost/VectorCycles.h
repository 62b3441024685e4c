// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What vector regions cost: a formula at the extents of the operation, so
/// that a tail costs what it costs.

#ifndef TEGULA_SIM_COST_VECTORCYCLES_H
#define TEGULA_SIM_COST_VECTORCYCLES_H

#include "tegula/sim/engine/Clock.h"
#include "tegula/support/TraceAbi.h"

namespace tegula::sim {

/// Cycles for which a region of `rows` x `columns` elements holds the vector
/// units of a core; `scratchpadBytes` is what it reads and writes.
int64_t getVectorCycles(const TegulaTraceFormula &formula, int64_t rows,
                        int64_t columns, int64_t scratchpadBytes,
                        const Machine &machine);

/// Operations on single elements, for energy and lower bounds.
int64_t countVectorElements(const TegulaTraceFormula &formula, int64_t rows,
                            int64_t columns);

} // namespace tegula::sim

#endif // TEGULA_SIM_COST_VECTORCYCLES_H
