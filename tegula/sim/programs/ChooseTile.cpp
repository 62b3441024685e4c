// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/programs/ChooseTile.h"

#include "tegula/sim/engine/Simulate.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

TegulaTraceSpace sim::getAccSpace(const Machine &machine) {
  return machine.accumulatorBytesPerCore > 0 ? TegulaTraceAccumulator
                                             : TegulaTraceScratchpad;
}

Expected<GemmTile> sim::chooseGemmTile(const Machine &machine,
                                       const GemmShape &shape,
                                       const GemmVectorWork &work,
                                       size_t numSimulated,
                                       const TilePolicy &policy) {
  std::vector<RankedTile> ranked = rankGemmTiles(machine, shape, work, policy);
  if (ranked.empty())
    return makeError("no tile of a matmul of {0} x {1} x {2} fits {3} bytes",
                     shape.m, shape.n, shape.k, machine.scratchpadBytesPerCore);
  ranked.resize(std::min(ranked.size(), numSimulated));
  if (ranked.size() == 1)
    return ranked.front().tile;
  Time best = 0;
  GemmTile chosen = ranked.front().tile;
  for (const RankedTile &candidate : ranked) {
    Gemm gemm(shape, candidate.tile, work, getAccSpace(machine));
    Expected<Result> result = simulate(machine, gemm.getKernel());
    if (!result)
      return result.takeError();
    if (best == 0 || result->total < best) {
      best = result->total;
      chosen = candidate.tile;
    }
  }
  return chosen;
}
