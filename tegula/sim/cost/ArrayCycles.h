// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What matmuls cost on systolic arrays, in closed form: one cycle per hop,
/// folds as they fit the cells. The simulator charges an operation by
/// getMultiplyCost, and one on a bare array takes exactly the cycles of the
/// closed form of its dataflow.

#ifndef TEGULA_SIM_COST_ARRAYCYCLES_H
#define TEGULA_SIM_COST_ARRAYCYCLES_H

#include "tegula/sim/engine/Clock.h"

namespace tegula::sim {

constexpr int64_t ceilDiv(int64_t lhs, int64_t rhs) {
  return (lhs + rhs - 1) / rhs;
}

/// The extents of a matmul: `rows` x `depth` times `depth` x `columns`.
struct MatmulShape {
  int64_t rows;
  int64_t columns;
  int64_t depth;

  int64_t getMacs() const { return rows * columns * depth; }
};

/// Folds of a matmul on an array: how often the operand that stays is loaded.
int64_t countFolds(const MatmulShape &shape, const Machine &machine);

/// What streams through a fold, one per cycle: rows when weights stay.
int64_t getStreamCycles(const MatmulShape &shape, const Machine &machine);

/// Cycles on one array of `machine` when no two folds overlap, by dataflow:
///   weights stay:  ceil(K/R) ceil(N/C) (M + 2R + C - 2)
///   outputs stay:  ceil(M/R) ceil(N/C) (K + R + C - 2)
///   inputs stay:   ceil(K/R) ceil(M/C) (N + 2R + C - 2)
int64_t getBareArrayCycles(const MatmulShape &shape, const Machine &machine);

/// The two ends of an operation: when the next can enter, and, from then on,
/// when its result is there.
struct ArrayCost {
  Time issue;
  Time drain;
};

/// What a matmul costs on the arrays of one core. With one weight slot folds
/// follow each other as in getBareArrayCycles; with more, the weights of the
/// next fold load under this one and a fold costs what streams through it, but
/// no less than loading it. Folds are shared over the arrays; of the last round
/// the rows are, where the dataflow streams rows.
ArrayCost getMultiplyCost(const MatmulShape &shape, const Machine &machine);

/// The same if the weights of the first folds are in the arrays already.
ArrayCost getLoadedCost(const MatmulShape &shape, const Machine &machine);

/// Cycles in which one fold's operand enters an array.
int64_t getWeightLoadCycles(const Machine &machine);

} // namespace tegula::sim

#endif // TEGULA_SIM_COST_ARRAYCYCLES_H
