// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/cost/VectorCycles.h"

#include "tegula/sim/cost/ArrayCycles.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

int64_t sim::getVectorCycles(const TegulaTraceFormula &formula, int64_t rows,
                             int64_t columns, int64_t scratchpadBytes,
                             const Machine &machine) {
  int64_t units = machine.vectorUnitsPerCore;
  int64_t cycles = 0;
  if (formula.iterationElements > 0) {
    int64_t iterations = ceilDiv(columns, formula.iterationElements);
    cycles = ceilDiv(rows, units) *
             (iterations * formula.iterationCycles + formula.rowCycles);
  } else {
    int64_t groups =
        ceilDiv(rows * columns, units * machine.vectorElementsPerCycle);
    cycles = groups * (formula.ops +
                       formula.specials * machine.vectorSpecialCycles) +
             ceilDiv(rows, units) * formula.rowCycles;
  }
  int64_t moved = ceilDiv(scratchpadBytes, machine.scratchpadBytesPerCycle);
  return formula.fillCycles + std::max(cycles, moved);
}

int64_t sim::countVectorElements(const TegulaTraceFormula &formula,
                                 int64_t rows, int64_t columns) {
  return rows * columns * (int64_t(formula.ops) + formula.specials);
}
