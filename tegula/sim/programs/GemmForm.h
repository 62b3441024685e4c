// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long a tiled product takes, in closed form: good enough to rank tiles.
///
/// With two buffers the arrays and the DMA wait for each other where they are
/// nearly balanced, so a step takes (c^3 + d^3)^(1/3) of its computing and its
/// loading, not the larger of them. Ragged edges are charged what they cost.

#ifndef TEGULA_SIM_PROGRAMS_GEMMFORM_H
#define TEGULA_SIM_PROGRAMS_GEMMFORM_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/sim/programs/Gemm.h"

namespace tegula::sim {

/// Cycles of `shape` cut as `tile` says on all cores of `machine`.
double estimateGemmCycles(const Machine &machine, const GemmShape &shape,
                          const GemmTile &tile);

/// A way to cut a product, and what it is estimated to take.
struct RankedTile {
  GemmTile tile;
  double cycles;
};

/// Every tile that fits `machine`, fastest first; never empty, unless nothing
/// fits. Sides are multiples of the arrays, cut to the extents.
std::vector<RankedTile> rankGemmTiles(const Machine &machine,
                                      const GemmShape &shape);

} // namespace tegula::sim

#endif // TEGULA_SIM_PROGRAMS_GEMMFORM_H
