// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpList.h"
#include "tegula/sim/cost/LowerBounds.h"
#include "tegula/sim/machine/MachineFile.h"
#include "gtest/gtest.h"
#include <random>

using namespace tegula;
using namespace tegula::sim;

namespace {

/// Machines and programs that no author would write.
class RandomRun {
public:
  explicit RandomRun(unsigned seed) : random(seed) {}

  Machine makeMachine() {
    Machine machine = makeBareMachine();
    machine.cores = upTo(4);
    machine.launchCycles = random() % 100;
    machine.dispatchCycles = random() % 20;
    machine.workItemsInFlight = upTo(3);
    machine.windowOps = 4 + random() % 30;
    machine.arraysPerCore = random() % 4;
    machine.arrayRows = upTo(64);
    machine.arrayColumns = upTo(64);
    machine.arrayDataflow = Dataflow(random() % 3);
    machine.weightSlotsPerArray = upTo(3);
    machine.vectorElementsPerCycle = upTo(64);
    machine.vectorLatencyCycles = random() % 20;
    machine.scratchpadBytesPerCore = 4096;
    machine.dmaSetupCycles = random() % 20;
    machine.dmaBytesInFlight = 64 * upTo(64);
    machine.dmaBytesPerCycle = upTo(512);
    machine.dmaLoadsFirst = random() % 2;
    machine.noc = NocKind(random() % 2);
    machine.nocMeshColumns = upTo(3);
    machine.nocPortBytesPerCycle = upTo(512);
    machine.nocHopCycles = random() % 5;
    machine.dramLevel = DramLevel(random() % 3);
    machine.dramBandwidthGbPerS = double(upTo(500));
    machine.dramLatencyNs = double(random() % 100);
    return machine;
  }

  std::vector<std::vector<TegulaTraceOp>> makeItems() {
    std::vector<std::vector<TegulaTraceOp>> items(upTo(6));
    for (std::vector<TegulaTraceOp> &item : items)
      for (int64_t count = random() % 20; count > 0; --count)
        item.push_back(makeOp());
    return items;
  }

private:
  int64_t upTo(int64_t most) { return int64_t(random() % most) + 1; }

  TegulaTraceRange makeSomeRange() {
    int64_t begin = random() % 4000;
    return makeRange(begin, upTo(4096 - begin));
  }

  TegulaTraceOp makeOp() {
    TegulaTraceOp op{};
    switch (random() % 6) {
    case 0:
    case 1: {
      bool isLoad = random() % 2;
      op.kind = isLoad ? TegulaTraceLoad : TegulaTraceStore;
      op.base = random() % (1 << 20);
      op.pitch = random() % 10000;
      op.planePitch = random() % 100000;
      op.rows = int32_t(upTo(8));
      op.planes = int32_t(upTo(3));
      op.rowBytes = int32_t(upTo(2000));
      TegulaTraceRange range = makeSomeRange();
      if (isLoad)
        addWrite(op, range, range.size);
      else
        addRead(op, range, range.size, random() % 2);
      return op;
    }
    case 2:
    case 3:
      op = makeMatmul(upTo(100), upTo(100), upTo(100),
                      random() % 2 ? TegulaTraceAccumulate : 0);
      break;
    case 4:
      op = makeVector(upTo(20), upTo(200));
      break;
    default:
      op.kind = random() % 2 ? TegulaTraceReadOut : TegulaTraceBarrier;
      op.rows = op.columns = 16;
      break;
    }
    if (op.kind == TegulaTraceBarrier)
      return op;
    for (int64_t reads = random() % 3; reads > 0; --reads) {
      TegulaTraceRange range = makeSomeRange();
      addRead(op, range, range.size, random() % 2);
    }
    TegulaTraceRange range = makeSomeRange();
    addWrite(op, range, range.size);
    return op;
  }

  std::mt19937 random;
};

} // namespace

TEST(RandomProgram, NoneBeatsTheBoundsAndAllTimeIsAccountedFor) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    RandomRun make(seed);
    Machine machine = make.makeMachine();
    OpList list(make.makeItems());
    Result result = simulateWell(machine, list);
    for (double bound : getLowerBounds(machine, result))
      EXPECT_GE(double(result.getCycles()) + 1e-6, bound) << "seed " << seed;
    int64_t loaded = 0, stored = 0;
    for (const TensorTraffic &tensor : result.tensors) {
      loaded += tensor.bytesLoaded;
      stored += tensor.bytesStored;
    }
    EXPECT_EQ(loaded, result.dram.bytesRead);
    EXPECT_EQ(stored, result.dram.bytesWritten);
    EXPECT_EQ(loaded + stored, result.noc.bytes);
    for (const CoreResult &core : result.cores)
      for (const UnitTime &unit : core.units) {
        EXPECT_EQ(unit.getTotal(), result.total) << "seed " << seed;
        EXPECT_LE(unit.useful, unit.busy) << "seed " << seed;
      }
  }
}

TEST(RandomProgram, RunsRepeatToTheTick) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    RandomRun make(seed);
    Machine machine = make.makeMachine();
    OpList list(make.makeItems());
    Result first = simulateWell(machine, list);
    Result second = simulateWell(machine, list);
    EXPECT_EQ(first.total, second.total);
    EXPECT_EQ(first.numEvents, second.numEvents);
    EXPECT_EQ(first.dram.channelBytes, second.dram.channelBytes);
  }
}

TEST(RandomProgram, AFasterMachineIsHardlyEverSlower) {
  int anomalies = 0, runs = 0;
  for (unsigned seed = 0; seed < 200; ++seed)
    for (const char *change :
         {"dram_bandwidth=x2", "vector_elements_per_cycle=x2",
          "noc_port_bytes_per_cycle=x2", "dram_latency_ns=x0.5"}) {
      RandomRun make(seed);
      Machine machine = make.makeMachine();
      OpList list(make.makeItems());
      Time before = simulateWell(machine, list).total;
      ASSERT_EQ(llvm::toString(applyWhatIf(machine, change)), "");
      Time after = simulateWell(machine, list).total;
      // Items are taken in another order and pieces meet other open rows, so a
      // little is allowed, and rarely more.
      ++runs;
      anomalies += double(after) > 1.02 * double(before);
    }
  EXPECT_LE(anomalies, runs / 50);
}
