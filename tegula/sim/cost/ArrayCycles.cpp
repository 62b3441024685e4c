// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/cost/ArrayCycles.h"

#include <algorithm>
#include <cassert>

using namespace tegula;
using namespace tegula::sim;

int64_t sim::countFolds(const MatmulShape &shape, const Machine &machine) {
  int64_t r = machine.arrayRows, c = machine.arrayColumns;
  switch (machine.arrayDataflow) {
  case Dataflow::WeightStationary:
    return ceilDiv(shape.depth, r) * ceilDiv(shape.columns, c);
  case Dataflow::OutputStationary:
    return ceilDiv(shape.rows, r) * ceilDiv(shape.columns, c);
  case Dataflow::InputStationary:
    return ceilDiv(shape.depth, r) * ceilDiv(shape.rows, c);
  }
  return 0;
}

int64_t sim::getStreamCycles(const MatmulShape &shape, const Machine &machine) {
  switch (machine.arrayDataflow) {
  case Dataflow::WeightStationary:
    return shape.rows;
  case Dataflow::OutputStationary:
    return shape.depth;
  case Dataflow::InputStationary:
    return shape.columns;
  }
  return 0;
}

static int64_t getSkew(const Machine &machine) {
  return machine.arrayRows + machine.arrayColumns - 2;
}

int64_t sim::getWeightLoadCycles(const Machine &machine) {
  return machine.arrayDataflow == Dataflow::OutputStationary
             ? 0
             : machine.arrayRows;
}

int64_t sim::getBareArrayCycles(const MatmulShape &shape,
                                const Machine &machine) {
  return countFolds(shape, machine) *
         (getWeightLoadCycles(machine) + getStreamCycles(shape, machine) +
          getSkew(machine));
}

ArrayCost sim::getMultiplyCost(const MatmulShape &shape,
                               const Machine &machine) {
  assert(machine.arraysPerCore > 0 && "there are arrays to multiply on");
  int64_t folds = countFolds(shape, machine);
  int64_t arrays = machine.arraysPerCore;
  Time stream =
      fromCycles(getStreamCycles(shape, machine) / machine.arrayEfficiency);
  Time load = fromCycles(getWeightLoadCycles(machine));
  Time skew = fromCycles(getSkew(machine));
  if (machine.weightSlotsPerArray == 1)
    return {ceilDiv(folds, arrays) * (load + stream + skew), 0};
  int64_t left = folds % arrays;
  Time lastRound = 0;
  if (left != 0)
    lastRound = machine.arrayDataflow == Dataflow::OutputStationary
                    ? stream
                    : ceilDiv(stream * left, arrays);
  Time issue = folds / arrays * std::max(stream, load) +
               (left != 0 ? std::max(lastRound, load) : 0);
  return {issue, skew};
}

ArrayCost sim::getLoadedCost(const MatmulShape &shape, const Machine &machine) {
  ArrayCost cost = getMultiplyCost(shape, machine);
  Time stream =
      fromCycles(getStreamCycles(shape, machine) / machine.arrayEfficiency);
  // Where folds follow each other, the first one's load is saved.
  if (machine.weightSlotsPerArray == 1)
    return {cost.issue - fromCycles(getWeightLoadCycles(machine)) -
                fromCycles(getSkew(machine)),
            fromCycles(getSkew(machine))};
  if (countFolds(shape, machine) <= machine.arraysPerCore)
    cost.issue = std::min(cost.issue, stream);
  return cost;
}
