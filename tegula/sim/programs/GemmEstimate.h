// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long a tiled matmul takes, in closed form: good enough to rank tiles.
///
/// With two buffers the arrays and the DMA wait for each other where they are
/// nearly balanced, so a step takes (c^3 + d^3)^(1/3) of its computing and its
/// loading, not the larger of them. Ragged edges are charged what they cost.

#ifndef TEGULA_SIM_PROGRAMS_GEMMESTIMATE_H
#define TEGULA_SIM_PROGRAMS_GEMMESTIMATE_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/sim/programs/Gemm.h"

namespace tegula::sim {

/// Which tiles are looked at, and which are preferred. A compiler has one for
/// all sizes.
struct TilePolicy {
  /// Only sides that divide the extents.
  bool dividesExtents = false;
  /// Up to this extent the depth is not cut.
  int64_t wholeDepth = 0;
  /// How much a cut depth is held to cost on top.
  double cutFactor = 1;
  /// The least side of a cut depth, in arrays.
  int64_t leastDepth = 1;
  /// Buffers per operand and for outputs.
  int64_t depth = 2;
  int64_t outputs = 2;
  /// The exponent of the soft maximum of a step.
  double exponent = 3;
};

/// Cycles of `shape` cut as `tile` says on all cores of `machine`.
double estimateGemmCycles(const Machine &machine, const GemmShape &shape,
                          const GemmTile &tile, const GemmVectorWork &work = {},
                          const TilePolicy &policy = {});

/// A way to cut a matmul, and what it is estimated to take.
struct RankedTile {
  GemmTile tile;
  double cycles;
};

/// Every tile that fits `machine`, fastest first; never empty, unless nothing
/// fits. Sides are multiples of the arrays, cut to the extents.
std::vector<RankedTile> rankGemmTiles(const Machine &machine,
                                      const GemmShape &shape,
                                      const GemmVectorWork &work = {},
                                      const TilePolicy &policy = {});

} // namespace tegula::sim

#endif // TEGULA_SIM_PROGRAMS_GEMMESTIMATE_H
