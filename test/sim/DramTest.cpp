// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/Dram.h"

#include "LineByLineDram.h"
#include "OpList.h"
#include "tegula/sim/memory/ChannelHash.h"
#include "tegula/sim/memory/MemorySystem.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace tegula;
using namespace tegula::sim;

static Machine makeHbm() {
  Machine machine;
  machine.dramHashShifts = {4, 8, 12, 16};
  return machine;
}

TEST(ChannelHash, NoTwoBlocksShareAnAddress) {
  ChannelHash hash(makeHbm());
  std::set<std::pair<int64_t, int64_t>> addresses;
  for (int64_t block = 0; block < 100000; ++block)
    EXPECT_TRUE(
        addresses.insert({hash.getChannel(block), hash.getInnerAddress(block)})
            .second);
}

TEST(ChannelHash, SpreadsAPitchThatIsAPowerOfTwo) {
  Machine machine = makeHbm();
  auto countChannels = [&] {
    ChannelHash hash(machine);
    std::set<int64_t> channels;
    for (int64_t row = 0; row < 64; ++row)
      channels.insert(hash.getChannel(row * 8192 / 256));
    return channels.size();
  };
  EXPECT_EQ(countChannels(), 16u);
  machine.dramHashShifts.clear();
  EXPECT_EQ(countChannels(), 1u);
}

TEST(Dram, BanksByRunsEqualBanksLineByLine) {
  std::mt19937 random(3);
  auto upTo = [&](int64_t most) { return int64_t(random() % most) + 1; };
  for (int round = 0; round < 60; ++round) {
    Machine machine = makeHbm();
    machine.dramLevel = DramLevel::Bank;
    machine.dramChannels = int64_t(1) << random() % 5;
    machine.dramInterleaveBytes = int64_t(64) << random() % 6;
    machine.dramRowBytes = int64_t(512) << random() % 4;
    machine.dramBanksPerChannel = int64_t(2) << random() % 4;
    machine.dramBandwidthGbPerS = double(upTo(900));
    std::unique_ptr<Dram> dram = makeDram(machine);
    LineByLineDram oracle(machine);
    Time time = 0;
    for (int request = 0; request < 60; ++request) {
      MemoryWindow window{upTo(1 << 22), upTo(20000), upTo(20), upTo(5000)};
      bool isWrite = random() % 4 == 0;
      Time expected = time;
      for (int64_t row = 0; row < window.rows; ++row)
        expected =
            std::max(expected, oracle.serve(window.base + row * window.pitch,
                                            window.rowBytes, time, isWrite));
      EXPECT_EQ(dram->serve(window, time, isWrite, nullptr), expected);
      time += Time(random() % 400000);
    }
    const DramCounters &counters = dram->getCounters();
    EXPECT_EQ(counters.rowHits, oracle.hits);
    EXPECT_EQ(counters.rowMisses, oracle.misses);
    EXPECT_EQ(counters.rowConflicts, oracle.conflicts);
    EXPECT_EQ(counters.refreshes, oracle.refreshes);
    EXPECT_EQ(counters.bytesRead + counters.bytesWritten +
                  counters.partialLineBytes,
              oracle.lines * machine.dramLineBytes);
  }
}

/// GB/s at which `dram` streams 64 MB.
static double getStreamBandwidth(const Machine &machine) {
  std::unique_ptr<Dram> dram = makeDram(machine);
  Time done = 0;
  int64_t bytes = int64_t(64) << 20, chunk = 16384;
  for (int64_t at = 0; at < bytes; at += chunk)
    done = dram->serve({at, 0, 1, chunk}, 0, /*isWrite=*/false, nullptr);
  return double(bytes) / (double(done) / ticksPerCycle) * machine.coreClockMhz /
         1e3;
}

TEST(Dram, StreamsReachWhatTheLevelLeavesOfTheBandwidth) {
  Machine machine = makeHbm();
  machine.dramEfficiency = 0.8;
  machine.dramLevel = DramLevel::Roofline;
  EXPECT_NEAR(getStreamBandwidth(machine), 0.8 * 450, 1);
  machine.dramLevel = DramLevel::Channel;
  EXPECT_NEAR(getStreamBandwidth(machine), 0.8 * 450, 1);
  // Banks lose what refreshes take, and little else.
  machine.dramLevel = DramLevel::Bank;
  EXPECT_NEAR(getStreamBandwidth(machine), (1 - 260.0 / 3900) * 450, 10);
}

TEST(Dram, UnalignedRowsTransferPartialLines) {
  std::unique_ptr<Dram> dram = makeDram(makeHbm());
  dram->serve({30, 0, 1, 4}, 0, /*isWrite=*/false, nullptr);
  EXPECT_EQ(dram->getCounters().partialLineBytes, 60);
}

TEST(SharedCache, KeepsWhatFitsAndWritesBackWhatWasWritten) {
  Machine machine = makeHbm();
  machine.l2Bytes = 1 << 20;
  MemorySystem memory(machine);
  MemoryWindow half{0, 0, 1, 1 << 19};
  memory.serve(0, half, 0, /*isWrite=*/true);
  EXPECT_EQ(memory.getDramCounters().bytesRead, 0);
  memory.serve(0, half, 0, /*isWrite=*/false);
  EXPECT_EQ(memory.getCacheCounters().hitBytes, 1 << 19);
  EXPECT_EQ(memory.getDramCounters().bytesWritten, 0);
  MemoryWindow others{1 << 22, 0, 1, 1 << 20};
  memory.serve(0, others, 0, /*isWrite=*/false);
  EXPECT_EQ(memory.getDramCounters().bytesRead, 1 << 20);
  EXPECT_EQ(memory.getDramCounters().bytesWritten, 1 << 19);
}

TEST(Noc, APortIsSharedByAllThatACoreAsksFor) {
  Machine machine = makeBareMachine();
  machine.nocPortBytesPerCycle = 16;
  Noc noc(machine);
  noc.carry(0, 1600, 0, 0, {});
  EXPECT_EQ(noc.carry(0, 1600, 0, 0, {}), fromCycles(int64_t(200)));
}

TEST(Noc, AMeshAddsHopsAndSharesLinks) {
  Machine machine = makeBareMachine();
  machine.noc = NocKind::Mesh;
  machine.cores = 16;
  machine.nocMeshColumns = 4;
  machine.nocHopCycles = 5;
  machine.nocPortBytesPerCycle = 16;
  machine.dramChannels = 4;
  Noc noc(machine);
  // Core 15 is in the last row and column, channel 0 at the first row.
  EXPECT_EQ(noc.carry(15, 160, 0, 0, {{0, 160, 0}}),
            fromCycles(int64_t(10 + 5 * (4 + 3))));
  EXPECT_EQ(noc.getCounters().byteHops, 160 * 7);
  // Its neighbour's way to channel 3 shares three links with the first.
  EXPECT_EQ(noc.carry(14, 160, 0, 0, {{3, 160, 0}}),
            fromCycles(int64_t(20 + 5 * 3)));
}
