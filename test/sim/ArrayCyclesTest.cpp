// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/cost/ArrayCycles.h"

#include "OpList.h"
#include "gtest/gtest.h"
#include <random>

using namespace tegula;
using namespace tegula::sim;

static int64_t simulateMatmul(const Machine &machine,
                              const MatmulShape &shape) {
  return simulateWell(
             machine,
             OpList({{makeMatmul(shape.rows, shape.columns, shape.depth)}}))
      .getCycles();
}

// Numbers that the closed forms gave when they were worked out by hand, and
// that other simulators print one less of, because theirs is the last cycle's
// index.
TEST(ArrayCycles, BareArraysTakeTheKnownCycles) {
  Machine machine = makeBareMachine();
  machine.arrayDataflow = Dataflow::OutputStationary;
  EXPECT_EQ(simulateMatmul(machine, {256, 256, 256}), 2040);
  EXPECT_EQ(simulateMatmul(machine, {512, 512, 512}), 12256);
  EXPECT_EQ(simulateMatmul(machine, {1024, 1024, 1024}), 81792);
  machine.arrayDataflow = Dataflow::WeightStationary;
  EXPECT_EQ(simulateMatmul(machine, {256, 256, 256}), 2552);
  EXPECT_EQ(simulateMatmul(machine, {512, 512, 512}), 14304);
  EXPECT_EQ(simulateMatmul(machine, {1024, 1024, 1024}), 89984);
  EXPECT_EQ(simulateMatmul(machine, {2048, 2048, 2048}), 622080);
}

TEST(ArrayCycles, BareArraysEqualTheClosedFormAtRaggedShapes) {
  std::mt19937 random(7);
  auto upTo = [&](int64_t most) { return int64_t(random() % most) + 1; };
  for (int round = 0; round < 200; ++round) {
    Machine machine = makeBareMachine();
    int64_t r = machine.arrayRows = upTo(130);
    int64_t c = machine.arrayColumns = upTo(130);
    int64_t m = upTo(1000), n = upTo(1000), k = upTo(1000);
    auto folds = [](int64_t lhs, int64_t rhs) { return (lhs - 1) / rhs + 1; };
    machine.arrayDataflow = Dataflow::WeightStationary;
    EXPECT_EQ(simulateMatmul(machine, {m, n, k}),
              folds(k, r) * folds(n, c) * (m + 2 * r + c - 2));
    machine.arrayDataflow = Dataflow::OutputStationary;
    EXPECT_EQ(simulateMatmul(machine, {m, n, k}),
              folds(m, r) * folds(n, c) * (k + r + c - 2));
    machine.arrayDataflow = Dataflow::InputStationary;
    EXPECT_EQ(simulateMatmul(machine, {m, n, k}),
              folds(k, r) * folds(m, c) * (n + 2 * r + c - 2));
  }
}

/// A matmul as weight loads and single folds.
static OpList makeFolds(const MatmulShape &shape, const Machine &machine) {
  std::vector<TegulaTraceOp> ops;
  for (int64_t fold = 0; fold < countFolds(shape, machine); ++fold) {
    TegulaTraceOp load{};
    load.kind = TegulaTraceLoadWeights;
    load.depth = int32_t(machine.arrayRows);
    load.columns = int32_t(machine.arrayColumns);
    ops.push_back(load);
    uint8_t flags = TegulaTraceWeightsLoaded;
    if (fold > 0)
      flags |= TegulaTraceAccumulate;
    TegulaTraceOp matmul =
        makeMatmul(shape.rows, machine.arrayColumns, machine.arrayRows, flags);
    addWrite(matmul, makeRange(0, 64), 64);
    ops.push_back(matmul);
  }
  return OpList({ops});
}

TEST(ArrayCycles, FoldByFoldEqualsTheClosedFormToo) {
  for (int64_t rows : {1, 37, 128, 129, 1000}) {
    Machine machine = makeBareMachine();
    MatmulShape shape{rows, 300, 500};
    EXPECT_EQ(simulateWell(machine, makeFolds(shape, machine)).getCycles(),
              getBareArrayCycles(shape, machine));
  }
}

/// Matmuls of many folds, each with its first weights loaded before it, take
/// no longer than those that load them themselves.
TEST(ArrayCycles, FirstWeightsThatAreLoadedBeforeSaveTheirTime) {
  for (int64_t rows : {1, 37, 128, 129, 1000}) {
    Machine machine = makeBareMachine();
    machine.weightSlotsPerArray = 2;
    TegulaTraceOp own = makeMatmul(rows, 300, 500);
    TegulaTraceOp weights = own;
    weights.kind = TegulaTraceLoadWeights;
    TegulaTraceOp loaded = makeMatmul(rows, 300, 500, TegulaTraceWeightsLoaded);
    int64_t apart = simulateWell(machine, OpList({{weights, loaded, weights,
                                                   loaded, weights, loaded}}))
                        .getCycles();
    EXPECT_EQ(apart,
              simulateWell(machine, OpList({{own, own, own}})).getCycles());
  }
}

TEST(ArrayCycles, WithTwoSlotsWeightsLoadUnderTheFoldBefore) {
  for (int64_t rows : {1, 37, 128, 129, 1000}) {
    Machine machine = makeBareMachine();
    machine.weightSlotsPerArray = 2;
    MatmulShape shape{rows, 300, 500};
    int64_t folds = 3 * 4;
    EXPECT_EQ(simulateWell(machine, makeFolds(shape, machine)).getCycles(),
              128 + (folds - 1) * std::max<int64_t>(rows, 128) + rows + 254);
  }
}

TEST(ArrayCycles, ArraysShareFoldsAndTheRowsOfTheLastRound) {
  Machine machine = makeBareMachine();
  machine.weightSlotsPerArray = 2;
  machine.arraysPerCore = 2;
  EXPECT_EQ(getMultiplyCost({1000, 128, 9 * 128}, machine).issue,
            fromCycles(int64_t(4500)));
  EXPECT_EQ(getMultiplyCost({100, 128, 9 * 128}, machine).issue,
            fromCycles(int64_t(5 * 128)));
}
