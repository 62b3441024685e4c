// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/cost/UsefulTime.h"

#include "tegula/sim/cost/ArrayCycles.h"
#include "tegula/sim/cost/VectorCycles.h"

using namespace tegula;
using namespace tegula::sim;

static Time atRate(double amount, double perCycle) {
  return static_cast<Time>(amount * ticksPerCycle / perCycle);
}

/// A loop that was timed has its iterations' elements for its full rate.
static Time getUsefulVectorTime(const TegulaTraceFormula &formula,
                                double elements, const Machine &machine) {
  auto units = double(machine.vectorUnitsPerCore);
  if (formula.iterationElements > 0)
    return atRate(
        elements / formula.iterationElements * formula.iterationCycles, units);
  double cycles = formula.ops + double(formula.specials) *
                                    double(machine.vectorSpecialCycles);
  return atRate(elements * cycles, units * machine.vectorElementsPerCycle);
}

Time sim::getUsefulTime(const TegulaTraceOp &op,
                        const TegulaTraceFormula *formula,
                        const Machine &machine) {
  auto cells = double(machine.arrayRows) * double(machine.arrayColumns);
  auto arrays = double(machine.arraysPerCore);
  double rows = op.rows, columns = op.columns, depth = op.depth;
  switch (op.kind) {
  case TegulaTraceLoad:
  case TegulaTraceStore:
    return atRate(double(op.planes) * rows * op.rowBytes,
                  double(machine.dmaBytesPerCycle));
  case TegulaTraceLoadWeights: {
    // All arrays load at once.
    double share = std::min(1.0, depth * columns / (cells * arrays));
    return static_cast<Time>(share *
                             double(fromCycles(getWeightLoadCycles(machine))));
  }
  case TegulaTraceMultiply:
    if (machine.arraysPerCore == 0)
      return atRate(rows * columns * depth,
                    double(machine.vectorUnitsPerCore) *
                        double(machine.vectorElementsPerCycle));
    return atRate(rows * columns * depth, cells * arrays);
  case TegulaTraceReadOut:
    return atRate(rows * columns, double(machine.readoutElementsPerCycle));
  default:
    return getUsefulVectorTime(*formula, rows * columns, machine);
  }
}
