// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of blocks that reach each other's shared memory.

#include "tegula/backends/cuda/emulator/Emulator.h"
#include "tegula/backends/cuda/emulator/ForcedClusters.h"
#include "tegula/backends/cuda/emulator/NarrowFloats.h"
#include "tegula/backends/cuda/emulator/PtxMachine.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"
#include "tegula/launch/gpu/driver/EmulatedDriver.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace tegula;
using namespace tegula::emulator;
using testing::HasSubstr;
using testing::StartsWith;

/// Runs a kernel in clusters, two of which at once.
static std::string launch(TegulaGpuEmulated kernel, void *data, int32_t blocks,
                          int32_t threads, int32_t cluster = 2) {
  void *parameters[] = {data};
  return emulate({kernel, parameters, blocks, threads, /*sharedBytes=*/1 << 16,
                  /*atOnce=*/2 * cluster, cluster});
}

/// Runs an instruction; returns its first operand.
static uint64_t execute(const char *text, std::vector<uint64_t> operands = {},
                        int32_t numResults = 0) {
  void *known = nullptr;
  operands.resize(operands.size() + 4);
  tegulaGpuInstruction(text, &known, operands.data(), numResults);
  return operands[0];
}

/// An address of shared memory, as instructions have it.
static uint64_t shared(uint32_t offset) {
  return static_cast<uint32_t>(
      reinterpret_cast<uint64_t>(tegulaGpuShared() + offset));
}

/// The same offset in another block.
static uint64_t sharedOf(uint32_t offset, uint64_t block) {
  return execute("mapa.shared::cluster.u32 $0, $1, $2;",
                 {0, shared(offset), block}, 1);
}

static int32_t rank() {
  return int32_t(execute("mov.u32 $0, %cluster_ctarank;", {0}, 1));
}

static void syncCluster() {
  execute("barrier.cluster.arrive.release.aligned; "
          "barrier.cluster.wait.acquire.aligned;");
}

static void makeBarrier(uint32_t offset, uint32_t count) {
  execute("mbarrier.init.shared.b64 [$0], $1;", {shared(offset), count});
}
static void fenceBarriers() { execute("fence.mbarrier_init.release.cluster;"); }
static void expect(uint32_t offset, uint32_t bytes) {
  execute("mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;",
          {shared(offset), bytes});
}
/// As others write it, who need the address only once.
static void arriveOf(uint32_t offset, uint64_t block) {
  execute("{ .reg .b32 there; mapa.shared::cluster.u32 there, $0, $1; "
          "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }",
          {shared(offset), block});
}
static void arriveAt(uint64_t address) {
  execute("mbarrier.arrive.shared::cluster.b64 _, [$0];", {address});
}
static void await(uint32_t offset, uint32_t round) {
  execute("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, "
          "[$0], $1; @p bra DONE; bra AGAIN; DONE: }",
          {shared(offset), round});
}

static void storeTwo(uint32_t offset, float a, float b) {
  execute("st.shared.v2.f32 [$0], {$1, $2};",
          {shared(offset), bitsOf(a), bitsOf(b)});
}
static float loadFrom(uint64_t address) {
  return floatOf(static_cast<uint32_t>(
      execute("ld.shared::cluster.v4.f32 {$0, $1, $2, $3}, [$4];",
              {0, 0, 0, 0, address}, 4)));
}

TEST(EmulatedCluster, NumbersItsBlocks) {
  std::vector<std::vector<uint64_t>> found(6);
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  auto &all =
                      *static_cast<std::vector<std::vector<uint64_t>> *>(
                          *parameters);
                  all[tegulaGpuBlock()] = {
                      uint64_t(rank()),
                      execute("mov.u32 $0, %cluster_nctarank;", {0}, 1),
                      execute("mov.u32 $0, %clusterid.x;", {0}, 1),
                      execute("mov.u32 $0, %nclusterid.x;", {0}, 1)};
                },
                &found, 6, 1),
            "");
  for (uint64_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i], (std::vector<uint64_t>{i % 2, 2, i / 2, 3}));
}

// Four blocks of two warps, of which one has ended, in several clusters.
TEST(EmulatedCluster, LoadsWhatOthersStored) {
  bool isRight = true;
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  int32_t thread = tegulaGpuThread();
                  if (thread >= 32)
                    return;
                  auto first = static_cast<float>(100 * tegulaGpuBlock());
                  storeTwo(16 * thread, first + static_cast<float>(thread), 0);
                  storeTwo(16 * thread + 8, 0, 0);
                  syncCluster();
                  for (int32_t other = 0; other < 4; ++other) {
                    int32_t block = tegulaGpuBlock() / 4 * 4 + other;
                    uint32_t lane = (thread + 1) % 32;
                    *static_cast<bool *>(*parameters) &=
                        loadFrom(sharedOf(16 * lane, other)) ==
                        static_cast<float>(100 * block + int32_t(lane));
                  }
                  syncCluster();
                },
                &isRight, 12, 64, 4),
            "");
  EXPECT_TRUE(isRight);
}

TEST(EmulatedCluster, PoisonsTheMemoryOfAllBlocks) {
  bool isRight = true;
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  syncCluster();
                  *static_cast<bool *>(*parameters) &=
                      std::isnan(loadFrom(sharedOf(0, rank() ^ 1)));
                  syncCluster();
                },
                &isRight, 4, 1),
            "");
  EXPECT_TRUE(isRight);
}

// In whatever order blocks run.
TEST(EmulatedCluster, FindsLoadsBeforeBlocksHaveSynced) {
  EXPECT_EQ(
      launch(
          [](void *const *) {
            if (rank() == 0) {
              storeTwo(0, 1, 2);
              syncCluster();
            } else {
              // The other one has stored by now, but did not say so.
              for (int32_t i = 0; i < 5; ++i)
                tegulaGpuBarrier();
              loadFrom(sharedOf(0, 0));
              syncCluster();
            }
          },
          nullptr, 2, 1),
      "race on bytes 0 to 3 of shared memory of block 0: a load reads "
      "what thread 0 of block 0 stored, with no barrier between, as far as "
      "thread 0 of block 1 knows");
}

TEST(EmulatedCluster, FindsStoresWhileOthersLoad) {
  EXPECT_EQ(launch(
                [](void *const *) {
                  syncCluster();
                  if (rank() == 1)
                    loadFrom(sharedOf(0, 0));
                  for (int32_t i = 0; i < 3; ++i)
                    tegulaGpuBarrier();
                  if (rank() == 0)
                    storeTwo(8, 1, 2);
                  syncCluster();
                },
                nullptr, 2, 1),
            "race on bytes 8 to 11 of shared memory of block 0: a store "
            "overwrites what thread 0 of block 1 may still read, as far as "
            "thread 0 of block 0 knows");
}

TEST(EmulatedCluster, ReleasesNothingIfItIsRelaxed) {
  EXPECT_THAT(launch(
                  [](void *const *) {
                    storeTwo(0, 1, 2);
                    execute("barrier.cluster.arrive.relaxed.aligned; "
                            "barrier.cluster.wait.acquire.aligned;");
                    loadFrom(sharedOf(0, rank() ^ 1));
                    syncCluster();
                  },
                  nullptr, 2, 1),
              HasSubstr("a load reads what thread 0 of block"));
}

TEST(EmulatedCluster, NamesWhoEndsWhileOthersRead) {
  // Now before the other one reads, and now behind it.
  for (int32_t delay : {0, 5}) {
    std::string words = launch(
        [](void *const *parameters) {
          syncCluster();
          bool reads = rank() == 1;
          int32_t delay = *static_cast<int32_t *>(*parameters);
          for (int32_t i = 0; i < (reads ? delay : 5 - delay); ++i)
            tegulaGpuBarrier();
          if (reads)
            loadFrom(sharedOf(0, 0));
        },
        &delay, 2, 1);
    EXPECT_EQ(words, "block 0 ends although thread 0 of block 1 may still "
                     "read its shared memory");
  }
}

TEST(EmulatedCluster, NamesWhoDoesNotCome) {
  std::string words = launch(
      [](void *const *) {
        if (rank() == 0)
          await(64, 0);
        syncCluster();
      },
      nullptr, 2, 32);
  EXPECT_EQ(words, "there is no barrier at byte 64 of block 0");
  words = launch(
      [](void *const *) {
        if (tegulaGpuThread() == 0) {
          makeBarrier(64, 1);
          fenceBarriers();
        }
        tegulaGpuBarrier();
        if (rank() == 0)
          await(64, 0);
        syncCluster();
      },
      nullptr, 2, 32);
  EXPECT_THAT(words, StartsWith("the emulated GPU hangs: of 64 threads"));
  EXPECT_THAT(words, HasSubstr("32 of block 0 for round 0 of the barrier at "
                               "byte 64 of block 0 (1 of 1 threads and 0 "
                               "bytes are missing)"));
  EXPECT_THAT(words, HasSubstr("32 of block 1 at the barrier of their cluster "
                               "(32 of 64 have come)"));
}

TEST(EmulatedCluster, IsArrivedAtAndAwaitedAlternately) {
  EXPECT_EQ(launch([](void *const *) { execute("barrier.cluster.wait;"); },
                   nullptr, 2, 1),
            "thread 0 of block 0 waits at the barrier of its cluster, to "
            "which it has not come");
  EXPECT_EQ(launch(
                [](void *const *) {
                  execute("barrier.cluster.arrive;");
                  execute("barrier.cluster.arrive;");
                },
                nullptr, 2, 1),
            "thread 0 of block 0 comes to the barrier of its cluster again "
            "before it has waited there");
  EXPECT_EQ(launch([](void *const *) { sharedOf(0, 2); }, nullptr, 2, 1),
            "there is no block 2 in a cluster of 2");
}

// A block alone is a cluster of one.
TEST(EmulatedCluster, MayHaveOneBlock) {
  float found[2];
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  if (tegulaGpuThread() == 1)
                    return;
                  storeTwo(0, 7, 8);
                  storeTwo(8, 7, 8);
                  syncCluster();
                  static_cast<float *>(*parameters)[tegulaGpuBlock()] =
                      loadFrom(sharedOf(0, 0));
                },
                found, 2, 2, 1),
            "");
  EXPECT_EQ(found[0], 7);
  EXPECT_EQ(found[1], 7);
}

TEST(EmulatedCluster, PassesOnWhatThreadsKnowAtBarriersOfOthers) {
  struct Runs {
    bool arrives;
    float found;
  };
  auto run = [](Runs &runs) {
    return launch(
        [](void *const *parameters) {
          auto &runs = *static_cast<Runs *>(*parameters);
          makeBarrier(64, 1);
          fenceBarriers();
          syncCluster();
          if (rank() == 1) {
            storeTwo(0, 5, 6);
            storeTwo(8, 5, 6);
            if (runs.arrives)
              arriveAt(sharedOf(64, 0));
          } else {
            await(64, 0);
            runs.found = loadFrom(sharedOf(0, 1));
          }
          syncCluster();
        },
        &runs, 2, 1);
  };
  Runs runs{true, 0};
  EXPECT_EQ(run(runs), "");
  EXPECT_EQ(runs.found, 5);
  runs.arrives = false;
  std::string words = run(runs);
  EXPECT_THAT(words, HasSubstr("1 of block 0 for round 0 of the barrier at "
                               "byte 64 of block 0 (1 of 1 threads"));
  EXPECT_THAT(words, HasSubstr("1 of block 1 at the barrier of their cluster "
                               "(1 of 2 have come)"));
}

TEST(EmulatedCluster, NeedsBarriersThatWereMadeBefore) {
  EXPECT_EQ(launch(
                [](void *const *) {
                  makeBarrier(64, 1);
                  fenceBarriers();
                  for (int32_t i = 0; i < 3; ++i)
                    tegulaGpuBarrier();
                  if (rank() == 1)
                    arriveAt(sharedOf(64, 0));
                  syncCluster();
                },
                nullptr, 2, 1),
            "thread 0 of block 1 uses the barrier at byte 64 of block 0, "
            "which may not have been made, as far as it knows");
  EXPECT_EQ(launch(
                [](void *const *) {
                  makeBarrier(64, 1);
                  syncCluster();
                  if (rank() == 1)
                    arriveAt(sharedOf(64, 0));
                  syncCluster();
                },
                nullptr, 2, 1),
            "thread 0 of block 1 uses the barrier at byte 64 of block 0, "
            "which was not fenced");
}

TEST(EmulatedCluster, NamesWhoEndsBeforeOthersCome) {
  EXPECT_EQ(launch(
                [](void *const *) {
                  makeBarrier(64, 1);
                  fenceBarriers();
                  syncCluster();
                  if (rank() == 1)
                    arriveAt(sharedOf(64, 0));
                },
                nullptr, 2, 1),
            "block 0 ends although thread 0 of block 1 may still come to its "
            "barriers");
}

namespace {

/// A matrix of 2-byte elements that count, and boxes of 64 x 8 of it. And how
/// blocks copy them.
struct Boxes {
  alignas(64) uint16_t elements[16 * 64];
  TegulaTensorMap map;
  uint64_t mask = 3;
  bool waitsForOther = true, syncsAtEnd = true;
  bool isRight = true;

  Boxes() {
    for (size_t i = 0; i < std::size(elements); ++i)
      elements[i] = static_cast<uint16_t>(i);
    uint64_t sizes[] = {64, 16}, pitches[] = {128};
    uint32_t box[] = {64, 8}, steps[] = {1, 1};
    EXPECT_EQ(getEmulatedDriver(90).encodeMap(&map, cuda::mapBf16, 2, elements,
                                              sizes, pitches, box, steps, 0,
                                              cuda::swizzle128Bytes, 0, 0),
              0);
  }

  void copyRow(int32_t row, uint32_t offset, uint32_t barrier) const {
    execute("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
            "complete_tx::bytes.multicast::cluster [$0], [$1, {$2, $3}], "
            "[$4], $5;",
            {shared(offset), reinterpret_cast<uint64_t>(&map), 0, uint64_t(row),
             shared(barrier), mask});
  }
};

} // namespace

static constexpr uint32_t full = 0, empty = 8;

/// Each block copies one of two boxes to both, in several rounds.
static void exchangeBoxes(void *const *parameters) {
  auto &boxes = *static_cast<Boxes *>(*parameters);
  makeBarrier(full, 1);
  makeBarrier(empty, 2);
  fenceBarriers();
  syncCluster();
  for (uint32_t round = 0; round < 4; ++round) {
    if (boxes.waitsForOther)
      await(empty, (round & 1) ^ 1);
    expect(full, 2048);
    boxes.copyRow(8 * rank(), 1024 * (1 + rank()), full);
    await(full, round & 1);
    auto *found = reinterpret_cast<uint16_t *>(tegulaGpuShared() + 1024);
    for (size_t i = 0; i < 1024; ++i) {
      size_t offset = i / 64 * 64 + ((i / 8 % 8) ^ (i / 64 % 8)) * 8 + i % 8;
      boxes.isRight &= found[offset] == i;
    }
    arriveAt(sharedOf(empty, 0));
    arriveOf(empty, 1);
  }
  if (boxes.syncsAtEnd)
    syncCluster();
}

TEST(EmulatedClusterCopies, GoToEveryBlockOfTheMask) {
  Boxes boxes;
  EXPECT_EQ(launch(exchangeBoxes, &boxes, 8, 1), "");
  EXPECT_TRUE(boxes.isRight);
}

TEST(EmulatedClusterCopies, CountBytesInEveryBlock) {
  Boxes boxes;
  boxes.mask = 1;
  std::string words = launch(exchangeBoxes, &boxes, 2, 1);
  EXPECT_THAT(words, HasSubstr("1 of block 1 for round 0 of the barrier at "
                               "byte 0 of block 1 (0 of 1 threads and 2048 "
                               "bytes are missing)"));
  boxes.mask = 4;
  EXPECT_EQ(launch(exchangeBoxes, &boxes, 2, 1),
            "a copy is for the blocks of mask 4 in a cluster of 2");
  boxes.mask = 0;
  EXPECT_EQ(launch(exchangeBoxes, &boxes, 2, 1),
            "a copy is for the blocks of mask 0 in a cluster of 2");
}

// A copy may come to a block that has not yet said how much it expects, but
// not before the last one was used.
TEST(EmulatedClusterCopies, MustNotOverwriteWhatIsArrivingElsewhere) {
  Boxes boxes;
  boxes.waitsForOther = false;
  std::string words = launch(exchangeBoxes, &boxes, 2, 1);
  EXPECT_THAT(words, StartsWith("race on stage 0 (bytes"));
  EXPECT_THAT(words, HasSubstr("a copy overwrites what a copy brings that may "
                               "not have arrived, as far as thread 0 of"));
}

TEST(EmulatedClusterCopies, MustArriveBeforeTheBlockEnds) {
  Boxes boxes;
  boxes.syncsAtEnd = false;
  EXPECT_THAT(launch(exchangeBoxes, &boxes, 2, 1),
              HasSubstr("may still come to its barriers"));
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  makeBarrier(full, 1);
                  fenceBarriers();
                  syncCluster();
                  if (rank() == 0)
                    static_cast<Boxes *>(*parameters)->copyRow(0, 1024, full);
                  syncCluster();
                },
                &boxes, 2, 1),
            "block 0 ends although what is copied to stage 0 may not have "
            "arrived");
}

TEST(EmulatedClusterCopies, MustNotGoToBlocksThatHaveEnded) {
  Boxes boxes;
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  makeBarrier(full, 1);
                  fenceBarriers();
                  syncCluster();
                  if (rank() == 1)
                    return;
                  for (int32_t i = 0; i < 3; ++i)
                    tegulaGpuBarrier();
                  static_cast<Boxes *>(*parameters)->copyRow(0, 1024, full);
                  expect(full, 1024);
                  await(full, 0);
                },
                &boxes, 2, 1),
            "block 1 ends although thread 0 of block 0 may still copy to it");
}

TEST(EmulatedClusterCopies, MustNotOverwriteWhatOthersLoad) {
  Boxes boxes;
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  makeBarrier(full, 1);
                  fenceBarriers();
                  syncCluster();
                  if (rank() == 1) {
                    loadFrom(sharedOf(1024, 0));
                  } else {
                    for (int32_t i = 0; i < 3; ++i)
                      tegulaGpuBarrier();
                    static_cast<Boxes *>(*parameters)->copyRow(0, 1024, full);
                  }
                  syncCluster();
                },
                &boxes, 2, 1),
            "race on stage 0 (bytes 1024 to 1027 of shared memory of block 0): "
            "a copy overwrites what thread 0 of block 1 may still read, as far "
            "as thread 0 of block 0 knows");
}

// Where the other block's own threads load.
TEST(EmulatedClusterCopies, MustNotOverwriteWhatABlockLoadsItself) {
  Boxes boxes;
  boxes.mask = 2;
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  makeBarrier(full, 1);
                  fenceBarriers();
                  syncCluster();
                  if (rank() == 1) {
                    execute("ld.shared.v4.f32 {$0, $1, $2, $3}, [$4];",
                            {0, 0, 0, 0, shared(1024)}, 4);
                  } else {
                    for (int32_t i = 0; i < 3; ++i)
                      tegulaGpuBarrier();
                    static_cast<Boxes *>(*parameters)->copyRow(0, 1024, full);
                  }
                  syncCluster();
                },
                &boxes, 2, 1),
            "race on stage 0 (bytes 1024 to 1027 of shared memory of block 1): "
            "a copy overwrites what thread 0 of block 1 may still read, as far "
            "as thread 0 of block 0 knows");
}

static constexpr const char *multiply =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, "
    "$4, $5, p, 1, 1, 0, 0;";

/// Block 1 multiplies what block 0 copies to it, and tells block 0 when it is
/// done, or before.
static void multiplyCopies(void *const *parameters) {
  auto &boxes = *static_cast<Boxes *>(*parameters);
  int32_t thread = tegulaGpuThread();
  if (thread == 0) {
    makeBarrier(full, 1);
    makeBarrier(empty, 1);
    fenceBarriers();
  }
  tegulaGpuBarrier();
  syncCluster();
  if (rank() == 0 && thread == 0)
    for (uint32_t round = 0; round < 2; ++round) {
      if (round)
        await(empty, 0);
      for (uint32_t box = 0; box < 8; ++box)
        boxes.copyRow(0, 1024 * (1 + box), full);
    }
  if (rank() == 1) {
    if (thread == 0)
      expect(full, 8192);
    await(full, 0);
    uint64_t factor =
        (shared(1024) & 0x3ffff) >> 4 | uint64_t(64) << 32 | uint64_t(1) << 62;
    execute("wgmma.fence.sync.aligned;");
    execute(multiply, {0, 0, 0, 0, factor, factor}, 4);
    execute("wgmma.commit_group.sync.aligned;");
    if (boxes.waitsForOther)
      execute("wgmma.wait_group.sync.aligned 0;");
    if (thread == 0)
      arriveAt(sharedOf(empty, 0));
    execute("wgmma.wait_group.sync.aligned 0;");
    if (thread == 0)
      expect(full, 8192);
    await(full, 1);
  }
  syncCluster();
}

TEST(EmulatedClusterCopies, MustNotOverwriteWhatMatmulsOfOthersRead) {
  Boxes boxes;
  boxes.mask = 2;
  EXPECT_EQ(launch(multiplyCopies, &boxes, 2, 128), "");
  boxes.waitsForOther = false;
  EXPECT_EQ(launch(multiplyCopies, &boxes, 2, 128),
            "race on stage 0 (bytes 1024 to 2047 of shared memory of block 1): "
            "a copy overwrites what matmuls of threads 0 to 127 of block 1 "
            "may still read, as far as thread 0 of block 0 knows");
}

TEST(EmulatedDriver, LaunchesClusters) {
  TegulaGpuEmulatedKernel kernel = {
      "count", [](void *const *parameters) {
        auto *counts = *static_cast<int32_t *const *>(*parameters);
        ++counts[execute("mov.u32 $0, %cluster_nctarank;", {0}, 1)];
      }};
  int32_t counts[9] = {}, *address = counts;
  void *parameters[] = {&address};
  auto run = [&](unsigned blocks, unsigned size, unsigned columns = 1) {
    cuda::LaunchAttribute attribute{
        cuda::clusterAttribute, {}, {{size, columns, 1}}};
    cuda::LaunchConfig config{{blocks, 1, 1}, {1, 1, 1},  256,
                              nullptr,        &attribute, 1};
    return getEmulatedDriver(90).launchWith(
        &config, reinterpret_cast<cuda::Function>(&kernel), parameters,
        nullptr);
  };
  EXPECT_EQ(run(6, 2), 0);
  EXPECT_EQ(run(8, 8), 0);
  EXPECT_EQ(counts[2], 6);
  EXPECT_EQ(counts[8], 8);
  EXPECT_NE(run(5, 2), 0);
  EXPECT_NE(run(16, 16), 0);
  EXPECT_NE(run(2, 0), 0);
  EXPECT_NE(run(4, 2, 2), 0);
  ForcedClusters four(4);
  EXPECT_EQ(run(6, 2), 0);
  EXPECT_EQ(counts[4], 12);
  EXPECT_EQ(getEmulatedDriver(80).launchWith, nullptr);
}
