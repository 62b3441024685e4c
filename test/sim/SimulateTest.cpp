// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/Simulate.h"

#include "OpList.h"
#include "tegula/sim/programs/Gemm.h"
#include "tegula/sim/programs/RowPass.h"
#include "gtest/gtest.h"
#include <sys/resource.h>

using namespace tegula;
using namespace tegula::sim;

static TegulaTraceOp reading(TegulaTraceOp op, int64_t at, int64_t bytes) {
  addRead(op, makeRange(at, bytes), bytes, /*isLast=*/false);
  return op;
}

static TegulaTraceOp writing(TegulaTraceOp op, int64_t at, int64_t bytes) {
  addWrite(op, makeRange(at, bytes), bytes);
  return op;
}

/// 1024 elements take a cycle.
static TegulaTraceOp vectorFor(int64_t cycles) {
  return makeVector(cycles, 1024);
}

TEST(Simulate, OperationsThatShareNothingOverlap) {
  Machine machine = makeBareMachine();
  OpList list({{vectorFor(1000), makeMatmul(128, 128, 128)}});
  EXPECT_EQ(simulateWell(machine, list).getCycles(), 1000);
}

TEST(Simulate, AReaderWaitsForTheResult) {
  Machine machine = makeBareMachine();
  machine.vectorLatencyCycles = 50;
  OpList list({{writing(vectorFor(1000), 64, 64),
                reading(makeMatmul(128, 128, 128), 100, 4)}});
  Result result = simulateWell(machine, list);
  EXPECT_EQ(result.getCycles(), 1050 + 128 + 2 * 128 + 126);
  EXPECT_EQ(toCycles(result.cores[0][Unit::Matrix].getStall(Stall::Vector)),
            1050);
}

TEST(Simulate, BytesOutsideTheRangeDoNotMatter) {
  Machine machine = makeBareMachine();
  OpList list({{writing(vectorFor(1000), 64, 64),
                reading(makeMatmul(128, 128, 128), 128, 4)}});
  EXPECT_EQ(simulateWell(machine, list).getCycles(), 1000);
}

TEST(Simulate, WhoOverwritesAnOperandWaitsUntilItWasRead) {
  Machine machine = makeBareMachine();
  machine.vectorLatencyCycles = 50;
  OpList list({{reading(vectorFor(1000), 0, 64),
                writing(makeMatmul(128, 128, 128), 0, 64)}});
  Result result = simulateWell(machine, list);
  EXPECT_EQ(result.getCycles(), 1000 + 128 + 2 * 128 + 126);
  EXPECT_EQ(toCycles(result.cores[0][Unit::Matrix].getStall(Stall::Buffer)),
            1000);
}

TEST(Simulate, WhoOverwritesAResultWaitsUntilItIsThere) {
  Machine machine = makeBareMachine();
  machine.vectorLatencyCycles = 50;
  OpList list({{writing(vectorFor(1000), 0, 64),
                writing(makeMatmul(128, 128, 128), 0, 64)}});
  EXPECT_EQ(simulateWell(machine, list).getCycles(),
            1050 + 128 + 2 * 128 + 126);
}

TEST(Simulate, AccumulationDoesNotWaitForTheSumBefore) {
  Machine machine = makeBareMachine();
  machine.weightSlotsPerArray = 2;
  std::vector<TegulaTraceOp> ops;
  for (int step = 0; step < 10; ++step)
    ops.push_back(
        writing(makeMatmul(512, 128, 128, step > 0 ? TegulaTraceAccumulate : 0),
                0, 64));
  // One load of weights, ten times the rows, one drain.
  EXPECT_EQ(simulateWell(machine, OpList({ops})).getCycles(),
            128 + 10 * 512 + 254);
}

TEST(Simulate, ABarrierWaitsForEverythingBefore) {
  Machine machine = makeBareMachine();
  TegulaTraceOp barrier{};
  barrier.kind = TegulaTraceBarrier;
  OpList list({{vectorFor(1000), barrier, makeMatmul(128, 128, 128)}});
  Result result = simulateWell(machine, list);
  EXPECT_EQ(result.getCycles(), 1000 + 128 + 2 * 128 + 126);
  EXPECT_EQ(toCycles(result.cores[0][Unit::Matrix].getStall(Stall::Barrier)),
            1000);
}

TEST(Simulate, LaunchesAndDispatchesAreChargedByName) {
  Machine machine = makeBareMachine();
  machine.launchCycles = 300;
  machine.dispatchCycles = 20;
  OpList list({{vectorFor(1000)}});
  Tenant tenant{"t", {&list.getKernel(), &list.getKernel()}, 0, 0, 0};
  Expected<Result> result = simulate(machine, tenant);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->getCycles(), 2 * 1320);
  const UnitTime &vector = result->cores[0][Unit::Vector];
  EXPECT_EQ(toCycles(vector.getStall(Stall::Launch)), 600);
  EXPECT_EQ(toCycles(vector.getStall(Stall::Dispatch)), 40);
  EXPECT_EQ(toCycles(vector.busy), 2000);
}

TEST(Simulate, CoresTakeItemsAsTheyHaveRoom) {
  Machine machine = makeBareMachine();
  machine.cores = 3;
  std::vector<std::vector<TegulaTraceOp>> items(9, {vectorFor(1000)});
  Result result = simulateWell(machine, OpList(items));
  EXPECT_EQ(result.getCycles(), 3000);
  for (const CoreResult &core : result.cores)
    EXPECT_EQ(core.numItems, 3);
}

TEST(Simulate, TenantsShareMemoryAndNoCore) {
  Machine machine = makeBareMachine();
  machine.cores = 2;
  int64_t bytes = 1 << 20;
  OpList list({{makeTransfer(TegulaTraceLoad, 0, bytes, 0)}});
  Tenant first{"a", {&list.getKernel()}, 0, 1, 0};
  Tenant second{"b", {&list.getKernel()}, 1, 1, 0};
  Expected<Result> alone = simulate(machine, first);
  Expected<Result> both = simulate(machine, {first, second});
  ASSERT_TRUE(alone && both);
  EXPECT_NEAR(double(both->total), 2.0 * double(alone->total),
              0.01 * double(both->total));
  EXPECT_EQ(both->dram.bytesRead, 2 * bytes);
  Expected<Result> twice = simulate(machine, {first, first});
  ASSERT_FALSE(bool(twice));
  EXPECT_EQ(llvm::toString(twice.takeError()),
            "tenant 'a' wants core 0, which another has");
}

TEST(Simulate, LoadsGoBeforeStores) {
  Machine machine = makeBareMachine();
  int64_t bytes = 1 << 20;
  OpList list({{makeTransfer(TegulaTraceStore, 0, bytes, 0),
                makeTransfer(TegulaTraceLoad, 8 * bytes, bytes, 2 * bytes)}});
  Result result = simulateWell(machine, list);
  EXPECT_GT(result.cores[0][Unit::DmaOut].getStall(Stall::LoadsFirst), 0);
  machine.dmaLoadsFirst = false;
  result = simulateWell(machine, list);
  EXPECT_EQ(result.cores[0][Unit::DmaOut].getStall(Stall::LoadsFirst), 0);
}

static TegulaTraceRange inMemory(TegulaTraceRange range,
                                 TegulaTraceSpace space) {
  range.space = space;
  return range;
}

/// What the arrays hand over is stored by their DMA and loaded by that of the
/// vector units, which waits for it.
TEST(Simulate, VectorCoresLoadWhatArraysStore) {
  Machine machine = makeBareMachine();
  machine.vectorUnitsAreCores = true;
  machine.vectorScratchpadBytesPerCore = 1 << 20;
  int64_t bytes = 1 << 18;
  TegulaTraceOp store = makeTransfer(TegulaTraceStore, 0, bytes, 0);
  addWrite(store, inMemory(makeRange(0, bytes), TegulaTraceShared), bytes);
  TegulaTraceOp load = makeTransfer(TegulaTraceLoad, 0, bytes, 0);
  load.writes[0].space = TegulaTraceVectorScratchpad;
  addRead(load, inMemory(makeRange(0, bytes), TegulaTraceShared), bytes,
          /*isLast=*/false);
  Result result = simulateWell(machine, OpList({{store, load}}));
  const CoreResult &core = result.cores[0];
  EXPECT_EQ(core[Unit::DmaIn].numOps + core[Unit::VectorOut].numOps, 0);
  EXPECT_EQ(core[Unit::DmaOut].numOps, 1);
  EXPECT_EQ(core[Unit::VectorIn].numOps, 1);
  EXPECT_GT(core[Unit::VectorIn].getStall(Stall::Handover), 0);
  EXPECT_EQ(result.tensors[0].bytesStored, bytes);
  EXPECT_EQ(result.tensors[0].bytesLoaded, bytes);
  // It takes no room in the scratchpads, but where it ends.
  EXPECT_EQ(core.scratchpadHighWater, bytes);
  int64_t alone = simulateWell(machine, OpList({{store}})).getCycles();
  EXPECT_GE(result.getCycles(), 2 * alone);
}

/// Two loads that nothing orders run one after the other if the scalar unit
/// waits for the first.
TEST(Simulate, WhatIsAwaitedHoldsUpWhatFollows) {
  Machine machine = makeBareMachine();
  machine.dramLatencyNs = 1000;
  TegulaTraceOp load = makeTransfer(TegulaTraceLoad, 0, 64, 0);
  TegulaTraceOp await{};
  await.kind = TegulaTraceAwait;
  Result free = simulateWell(machine, OpList({{load, vectorFor(500)}}));
  Result delayed =
      simulateWell(machine, OpList({{load, await, vectorFor(500)}}));
  EXPECT_EQ(delayed.getCycles(), free.getCycles() + 500);
  EXPECT_GT(delayed.cores[0][Unit::Vector].getStall(Stall::Load),
            fromCycles(int64_t(999)));
}

TEST(Simulate, BytesInFlightBoundTheBandwidthOfOneEngine) {
  Machine machine = makeBareMachine();
  machine.dramLatencyNs = 1000;
  machine.dmaBytesInFlight = 8192;
  int64_t bytes = 1 << 20;
  OpList list({{makeTransfer(TegulaTraceLoad, 0, bytes, 0)}});
  int64_t few = simulateWell(machine, list).getCycles();
  // 8 KB a microsecond at best.
  EXPECT_GE(few, bytes / 8192 * 1000);
  machine.dmaBytesInFlight = 1 << 20;
  EXPECT_LT(simulateWell(machine, list).getCycles(), few / 10);
}

TEST(Simulate, RefusesWhatTheMachineDoesNotHave) {
  Machine machine = makeBareMachine();
  EXPECT_EQ(
      simulateError(machine, OpList({{reading(vectorFor(1), 1 << 24, 4)}})),
      "kernel 'list', work item 0: bytes 16777216 to 16777220 of memory "
      "0 are not there: it has 16777216");
  EXPECT_EQ(
      simulateError(machine,
                    OpList({{makeMatmul(1, 1, 1, TegulaTraceWeightsLoaded)}})),
      "kernel 'list', work item 0: a matmul finds no loaded weights");
  TegulaTraceOp load{};
  load.kind = TegulaTraceLoadWeights;
  load.depth = load.columns = 128;
  Machine vectors = machine;
  vectors.arraysPerCore = 0;
  EXPECT_EQ(simulateError(vectors, OpList({{load}})),
            "kernel 'list', work item 0: there is no array to load weights "
            "into");
  std::vector<TegulaTraceOp> loads(100, load);
  EXPECT_EQ(simulateError(machine, OpList({loads})),
            "core 0 cannot go on: its window of 64 operations is full of some "
            "that wait for later ones");
  TegulaTraceOp unknown{};
  unknown.kind = 77;
  EXPECT_EQ(simulateError(machine, OpList({{unknown}})),
            "kernel 'list', work item 0: operation 77 is unknown");
  OpList list({{vectorFor(1)}});
  TegulaTraceKernel old = list.getKernel();
  old.version = 0;
  Expected<Result> result = simulate(machine, old);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "kernel 'list' is of trace version 0, but this simulator reads " +
                std::to_string(TegulaTraceVersion));
}

TEST(Simulate, AMachineWithoutArraysMultipliesOnItsVectorUnits) {
  Machine machine = makeBareMachine();
  machine.arraysPerCore = 0;
  Result result = simulateWell(machine, OpList({{makeMatmul(64, 64, 64)}}));
  EXPECT_EQ(result.getCycles(), 64 * 64 * 64 / 1024);
}

TEST(Simulate, CountsTheBytesThatHoldSomething) {
  Machine machine = makeBareMachine();
  TegulaTraceOp add = vectorFor(10);
  addRead(add, makeRange(0, 1000), 1000, /*isLast=*/true);
  addRead(add, makeRange(1000, 500), 500, /*isLast=*/true);
  addWrite(add, makeRange(1500, 200), 200);
  OpList list({{makeTransfer(TegulaTraceLoad, 0, 1000, 0),
                makeTransfer(TegulaTraceLoad, 4096, 500, 1000), add,
                makeTransfer(TegulaTraceStore, 8192, 200, 1500),
                makeTransfer(TegulaTraceLoad, 0, 1600, 0)}});
  // All three during the addition; the last load finds the first two gone.
  EXPECT_EQ(simulateWell(machine, list).cores[0].scratchpadHighWater, 1700);
}

static long getPeakKilobytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(Simulate, MemoryDoesNotGrowWithTheNumberOfOperations) {
  Machine machine = makeBareMachine();
  machine.dramLevel = DramLevel::Roofline;
  simulateWell(machine, Gemm({256, 256, 256}, {64, 64, 64}));
  long before = getPeakKilobytes();
  Result result = simulateWell(machine, Gemm({2048, 2048, 4096}, {64, 64, 64}));
  EXPECT_GT(result.numOps, 190000);
  EXPECT_LT(getPeakKilobytes() - before, 2048);
}

TEST(Simulate, ExtrapolationIsNearTheWholeRun) {
  Machine machine = makeBareMachine();
  machine.weightSlotsPerArray = 2;
  Gemm gemm({4096, 4096, 1024}, {256, 256, 256});
  Result whole = simulateWell(machine, gemm);
  SimulateOptions options;
  options.extrapolateAfter = 32;
  Result part = simulateWell(machine, gemm, options);
  EXPECT_EQ(part.extrapolation.simulatedItems, 32);
  EXPECT_EQ(part.extrapolation.allItems, 256);
  EXPECT_NEAR(double(part.total), double(whole.total),
              0.01 * double(whole.total));
  EXPECT_LT(part.extrapolation.residual, 0.05);
  EXPECT_EQ(part.getMacs(), whole.getMacs());
  for (const UnitTime &unit : part.cores[0].units)
    EXPECT_EQ(unit.getTotal(), part.total);
  EXPECT_EQ(whole.extrapolation.allItems, 0);
}
