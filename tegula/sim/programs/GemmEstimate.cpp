// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/programs/GemmEstimate.h"

#include "tegula/sim/cost/ArrayCycles.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace tegula;
using namespace tegula::sim;

namespace {

/// One axis of a loop: whole tiles and, if there is one, a smaller last one.
struct Axis {
  int64_t whole;
  int64_t rest;
  int64_t size;

  Axis(int64_t extent, int64_t tile)
      : whole(extent / tile), rest(extent % tile), size(tile) {}
  int64_t getCount(bool isRest) const { return isRest ? rest != 0 : whole; }
  int64_t getSize(bool isRest) const { return isRest ? rest : size; }
};

} // namespace

static double getMatmulCycles(const Machine &machine, int64_t rows,
                              int64_t columns, int64_t depth) {
  if (machine.arraysPerCore == 0)
    return double(rows) * columns * depth /
           (machine.vectorUnitsPerCore * machine.vectorElementsPerCycle);
  return double(getMultiplyCost({rows, columns, depth}, machine).issue) /
         ticksPerCycle;
}

/// Cycles of all matmuls of one batch on one core.
static double getComputeCycles(const Machine &machine, const GemmShape &shape,
                               const GemmTile &tile) {
  Axis m(shape.m, tile.m), n(shape.n, tile.n), k(shape.k, tile.k);
  double cycles = 0;
  for (int edge = 0; edge < 8; ++edge) {
    bool isM = edge & 1, isN = edge & 2, isK = edge & 4;
    int64_t count = m.getCount(isM) * n.getCount(isN) * k.getCount(isK);
    if (count > 0)
      cycles += double(count) * getMatmulCycles(machine, m.getSize(isM),
                                                n.getSize(isN),
                                                shape.taps * k.getSize(isK));
  }
  return cycles;
}

/// Cycles of the vector work of one step.
static double getVectorStep(const Machine &machine, const GemmVectorWork &work,
                            double left, double right) {
  auto getCycles = [&](const TegulaTraceFormula &formula, double elements) {
    double perElement =
        formula.ops + double(formula.specials) * machine.vectorSpecialCycles;
    return formula.fillCycles + elements * perElement /
                                    double(machine.vectorUnitsPerCore *
                                           machine.vectorElementsPerCycle);
  };
  double cycles = 0;
  if (work.onOperands)
    cycles +=
        getCycles(*work.onOperands, left) + getCycles(*work.onOperands, right);
  if (work.onLeft)
    cycles += getCycles(*work.onLeft, left);
  return cycles;
}

double sim::estimateGemmCycles(const Machine &machine, const GemmShape &shape,
                               const GemmTile &tile, const GemmVectorWork &work,
                               const TilePolicy &policy) {
  double gridM = ceilDiv(shape.m, tile.m), gridN = ceilDiv(shape.n, tile.n);
  double gridK = ceilDiv(shape.k, tile.k);
  double items = shape.batch * gridM * gridN;
  double rounds = std::ceil(items / machine.cores);
  double e = shape.elementBytes;
  double bytesPerCycle = machine.getDramBytesPerCycle() *
                         machine.dramEfficiency /
                         std::min(items, double(machine.cores));
  // A short row of a window opens a DRAM row for few bytes.
  auto move = [&](double bytes, double rowBytes) {
    return bytes * (1 + 64 / rowBytes) / bytesPerCycle;
  };
  double rows = shape.m / gridM, columns = shape.n / gridN,
         depth = shape.k / gridK;
  double compute =
      getComputeCycles(machine, shape, tile) / (gridM * gridN * gridK);
  double vector = getVectorStep(machine, work, shape.leftRows * rows * depth,
                                shape.taps * depth * columns);
  if (work.isStaged)
    compute +=
        vector + machine.vectorLatencyCycles + getWeightLoadCycles(machine);
  else
    compute = std::max(compute, vector);
  double left = shape.leftRows * rows * depth * e;
  double right = shape.taps * depth * columns * e;
  double load = move(left, depth * e) + move(right, columns * e) +
                2 * machine.dmaSetupCycles;
  double store =
      move(rows * columns * shape.outputBytes, columns * shape.outputBytes);
  // With two buffers a store has one step of head start, made of the slack.
  double lead = tile.outputs > 1
                    ? std::min(compute, gridK * std::max(0.0, compute - load))
                    : 0;
  double step = std::pow(std::pow(compute, policy.exponent) +
                             std::pow(load, policy.exponent),
                         1 / policy.exponent);
  double body = rounds * (gridK * step + std::max(0.0, store - lead));
  double latency = machine.dramLatencyNs * machine.coreClockMhz / 1e3;
  return machine.launchCycles + machine.dispatchCycles + 2 * latency + load +
         store + body + machine.arrayRows + machine.arrayColumns;
}

static bool fits(const Machine &machine, const GemmShape &shape,
                 GemmTile tile) {
  int64_t sums =
      tile.outputs * tile.m * tile.n * std::max<int64_t>(4, shape.outputBytes);
  int64_t all = getGemmScratchpadBytes(shape, tile);
  if (machine.accumulatorBytesPerCore == 0)
    return all <= machine.scratchpadBytesPerCore;
  return all - sums <= machine.scratchpadBytesPerCore &&
         sums <= machine.accumulatorBytesPerCore;
}

/// Sides of tiles along an axis of `extent`.
static std::vector<int64_t> getSides(const Machine &machine, int64_t extent,
                                     const TilePolicy &policy) {
  int64_t unit = std::clamp<int64_t>(machine.arrayRows, 16, 256);
  std::vector<int64_t> sides;
  if (policy.dividesExtents) {
    for (int64_t side = unit; side <= extent; side += unit)
      if (extent % side == 0)
        sides.push_back(side);
    if (!sides.empty())
      return sides;
  }
  for (int64_t factor : {1, 2, 3, 4, 6, 8, 12, 16}) {
    sides.push_back(std::min(factor * unit, ceilDiv(extent, 8) * 8));
    if (factor * unit >= extent)
      break;
  }
  return sides;
}

std::vector<RankedTile> sim::rankGemmTiles(const Machine &machine,
                                           const GemmShape &shape,
                                           const GemmVectorWork &work,
                                           const TilePolicy &policy) {
  std::vector<RankedTile> ranked;
  std::vector<int64_t> depths = getSides(machine, shape.k, policy);
  if (shape.k <= policy.wholeDepth)
    depths = {shape.k};
  for (int64_t m : getSides(machine, shape.m, policy))
    for (int64_t n : getSides(machine, shape.n, policy))
      for (int64_t k : depths) {
        GemmTile tile{m, n, k, policy.depth, policy.outputs};
        bool isTooFlat =
            k < shape.k && k < policy.leastDepth * machine.arrayRows;
        if (isTooFlat || !fits(machine, shape, tile))
          continue;
        double cycles = estimateGemmCycles(machine, shape, tile, work, policy);
        ranked.push_back({tile, cycles * (k < shape.k ? policy.cutFactor : 1)});
      }
  // Equal estimates are in the order of their sides, so that runs repeat.
  llvm::sort(ranked, [](const RankedTile &lhs, const RankedTile &rhs) {
    return std::tuple(lhs.cycles, lhs.tile.m, lhs.tile.n, lhs.tile.k) <
           std::tuple(rhs.cycles, rhs.tile.m, rhs.tile.n, rhs.tile.k);
  });
  return ranked;
}
