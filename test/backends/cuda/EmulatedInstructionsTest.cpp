// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cuda/emulator/Emulator.h"
#include "tegula/backends/cuda/emulator/NarrowFloats.h"
#include "tegula/backends/cuda/emulator/PtxMachine.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"
#include "tegula/launch/gpu/abi/MatmulAbi.h"
#include "tegula/launch/gpu/driver/CudaDriver.h"
#include "tegula/launch/gpu/driver/EmulatedDriver.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace tegula;
using namespace tegula::emulator;
using testing::HasSubstr;

/// Runs a kernel of one block.
static std::string launch(TegulaGpuEmulated kernel, void *data,
                          int32_t threads) {
  void *parameters[] = {data};
  return emulate({kernel, parameters, 1, threads, /*sharedBytes=*/1 << 16,
                  /*atOnce=*/1});
}

/// Runs an instruction; returns its first operand.
static uint64_t execute(const char *text, std::vector<uint64_t> operands = {},
                        int32_t numResults = 0) {
  void *known = nullptr;
  operands.resize(operands.size() + 1);
  tegulaGpuInstruction(text, &known, operands.data(), numResults);
  return operands[0];
}

/// An address of shared memory, as instructions have it.
static uint64_t shared(uint32_t offset) {
  return static_cast<uint32_t>(
      reinterpret_cast<uint64_t>(tegulaGpuShared() + offset));
}

static constexpr const char *makeBarrier = "mbarrier.init.shared.b64 [$0], $1;";
static constexpr const char *fence = "fence.mbarrier_init.release.cluster;";
static constexpr const char *expect =
    "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;";
static constexpr const char *await =
    "{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [$0], $1; "
    "@p bra DONE; bra AGAIN; DONE: }";
static constexpr const char *copyBox =
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
    "bytes [$0], [$1, {$2, $3}], [$4];";

TEST(PtxText, IsTakenApart) {
  std::vector<PtxInstruction> all = readPtx(await);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0].mnemonic, ".reg");
  EXPECT_EQ(all[1].label, "AGAIN");
  EXPECT_TRUE(all[2].begins("mbarrier.try_wait"));
  EXPECT_FALSE(all[2].begins("mbarrier.try"));
  EXPECT_TRUE(all[2].has("parity"));
  ASSERT_EQ(all[2].operands.size(), 3u);
  EXPECT_EQ(all[2].operands[1].kind, PtxOperand::Kind::Address);
  EXPECT_EQ(all[2].operands[1].parts[0].number, 0);
  EXPECT_EQ(all[3].predicate, "p");
  EXPECT_EQ(all[3].operands[0].name, "DONE");
  EXPECT_EQ(all[5].label, "DONE");
  all = readPtx(copyBox);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].operands.size(), 3u);
  EXPECT_EQ(all[0].operands[1].parts[1].parts[1].number, 3);
}

TEST(EmulatedInstructions, RoundToPairs) {
  uint32_t found[2];
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  auto *to = static_cast<uint32_t *>(*parameters);
                  to[0] = execute("cvt.rn.bf16x2.f32 $0, $1, $2;",
                                  {0, bitsOf(1.0f), bitsOf(-2.0f)}, 1);
                  to[1] = execute("cvt.rn.f16x2.f32 $0, $1, $2;",
                                  {0, bitsOf(1.0f), bitsOf(65520.0f)}, 1);
                },
                found, 1),
            "");
  EXPECT_EQ(found[0], 0x3f80c000u);
  EXPECT_EQ(found[1], 0x3c007c00u);
}

TEST(NarrowFloats, AreReadAsTheyWereRounded) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    if (!std::isnan(fromBf16(half)))
      EXPECT_EQ(toBf16(fromBf16(half)), half);
    if (!std::isnan(fromFp16(half)))
      EXPECT_EQ(toFp16(fromFp16(half)), half);
  }
  // In the middle of two numbers, the even one.
  EXPECT_EQ(toBf16(floatOf(0x3f808000)), 0x3f80);
  EXPECT_EQ(toBf16(floatOf(0x3f818000)), 0x3f82);
  EXPECT_EQ(toFp16(1.0f + 0x1p-11f), 0x3c00);
  EXPECT_EQ(toFp16(1.0f + 3 * 0x1p-11f), 0x3c02);
  EXPECT_EQ(toFp16(0x1p-25f), 0);
  EXPECT_EQ(toFp16(0x1.8p-25f), 1);
}

TEST(EmulatedInstructions, WidenPairs) {
  uint32_t found[2];
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  auto *to = static_cast<uint32_t *>(*parameters);
                  // The least and the largest, -1 and NaN.
                  to[0] =
                      execute("cvt.rn.f16x2.e4m3x2 $0, $1;", {0, 0x7e01}, 1);
                  to[1] =
                      execute("cvt.rn.f16x2.e4m3x2 $0, $1;", {0, 0x7fb8}, 1);
                },
                found, 1),
            "");
  EXPECT_EQ(fromFp16(found[0] & 0xffff), 0x1p-9f);
  EXPECT_EQ(fromFp16(found[0] >> 16), 448);
  EXPECT_EQ(fromFp16(found[1] & 0xffff), -1);
  EXPECT_TRUE(std::isnan(fromFp16(found[1] >> 16)));
}

TEST(EmulatedInstructions, ElectALaneOfEachWarp) {
  int32_t count = 0;
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  execute("bar.warp.sync 0xffffffff;");
                  *static_cast<int32_t *>(*parameters) +=
                      execute("{ .reg .pred p; mov.u32 $0, 0; "
                              "elect.sync _|p, 0xffffffff; "
                              "@p mov.u32 $0, 1; }",
                              {0}, 1);
                },
                &count, 64),
            "");
  EXPECT_EQ(count, 2);
}

TEST(EmulatedInstructions, ExchangeWordsOfLanes) {
  bool isRight = true;
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  uint32_t lane = tegulaGpuThread() % 32;
                  uint64_t other =
                      execute("shfl.sync.bfly.b32 $0, $2, $3, $4, $1;",
                              {0, ~0u, lane + 100, 5, 31}, 1);
                  *static_cast<bool *>(*parameters) &=
                      other == (lane ^ 5) + 100;
                },
                &isRight, 64),
            "");
  EXPECT_TRUE(isRight);
}

TEST(EmulatedInstructions, NameWhatIsNotKnown) {
  EXPECT_EQ(launch([](void *const *) { execute("tcgen05.mma $0;", {1}); },
                   nullptr, 32),
            "the emulator does not know the instruction tcgen05.mma");
  // The next launch is none the worse.
  EXPECT_EQ(launch([](void *const *) { execute("mov.u32 $0, 1;", {0}, 1); },
                   nullptr, 32),
            "");
}

TEST(EmulatedBarrier, CountsThreads) {
  EXPECT_THAT(launch(
                  [](void *const *) {
                    execute(makeBarrier, {shared(64), 1});
                    for (int i = 0; i < 3; ++i)
                      execute("mbarrier.arrive.shared.b64 _, [$0];",
                              {shared(64)});
                    execute(expect, {shared(64), 5});
                    execute(await, {shared(64), 1});
                  },
                  nullptr, 1),
              HasSubstr("1 for round 3 of the barrier at byte 64 (0 of 1 "
                        "threads and 5 bytes are missing)"));
  EXPECT_EQ(launch(
                [](void *const *) {
                  execute(makeBarrier, {shared(64), 1});
                  execute(expect, {shared(64), 5});
                  execute(expect, {shared(64), 5});
                },
                nullptr, 1),
            "more than 1 threads come to the barrier at byte 64 in one round");
  EXPECT_EQ(launch([](void *const *) { execute(makeBarrier, {shared(68), 1}); },
                   nullptr, 1),
            "the barrier at byte 68 is not at a multiple of 8");
}

TEST(EmulatedBarrier, WithANumberIsForAsManyAsSaySo) {
  EXPECT_EQ(launch(
                [](void *const *) {
                  execute("bar.sync $0, $1;",
                          {3, tegulaGpuThread() < 32 ? 64u : 96u});
                },
                nullptr, 64),
            "barrier 3 is for 64 threads and for 96");
  EXPECT_THAT(launch(
                  [](void *const *) {
                    if (tegulaGpuThread() < 32)
                      execute("bar.sync $0, $1;", {3, 64});
                  },
                  nullptr, 64),
              HasSubstr("32 at barrier 3 (32 of 64 have come)"));
}

namespace {

/// A matrix of 2-byte elements that count, and boxes of 64 x 8 of it.
struct Boxes {
  alignas(64) uint16_t elements[16 * 64];
  TegulaTensorMap map;

  std::string describe(uint32_t columns = 64, uint64_t pitch = 128,
                       size_t from = 0) {
    for (size_t i = 0; i < std::size(elements); ++i)
      elements[i] = static_cast<uint16_t>(i);
    uint64_t sizes[] = {60, 16}, pitches[] = {pitch};
    uint32_t box[] = {columns, 8}, steps[] = {1, 1};
    const cuda::Driver &driver = getEmulatedDriver(90);
    if (driver.encodeMap(&map, cuda::mapBf16, 2, elements + from, sizes,
                         pitches, box, steps, 0, cuda::swizzle128Bytes, 0,
                         0) == 0)
      return {};
    const char *words = nullptr;
    driver.errorString(1, &words);
    return words;
  }
};

} // namespace

/// Copies the box in row 8 to an offset, for so many bytes.
static void copyRow8(void *data, uint32_t offset, uint32_t bytes) {
  execute(makeBarrier, {shared(0), 1});
  execute(fence);
  execute(expect, {shared(0), bytes});
  execute(copyBox,
          {shared(offset),
           reinterpret_cast<uint64_t>(&static_cast<Boxes *>(data)->map), 0, 8,
           shared(0)});
  execute(await, {shared(0), 0});
}

TEST(EmulatedCopies, SwizzleRows) {
  Boxes boxes;
  ASSERT_EQ(boxes.describe(), "");
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  copyRow8(*parameters, 2048, 1024);
                  auto *found = static_cast<Boxes *>(*parameters);
                  std::copy_n(
                      reinterpret_cast<uint16_t *>(tegulaGpuShared() + 2048),
                      512, found->elements);
                },
                &boxes, 1),
            "");
  for (uint32_t row = 0; row < 8; ++row)
    for (uint32_t column = 0; column < 64; ++column) {
      uint32_t offset = row * 64 + ((column / 8) ^ row) * 8 + column % 8;
      // Beyond the tensor there are zeros.
      EXPECT_EQ(boxes.elements[offset],
                column < 60 ? (8 + row) * 64 + column : 0);
    }
}

TEST(EmulatedCopies, RoundToTf32WhereMapsSaySo) {
  struct {
    alignas(64) uint32_t elements[32] = {0x3f800fff, 0x3f801000, 0xbf803000,
                                         0x7f7fffff, 0x7f800001, 0x3f801001};
    TegulaTensorMap map;
  } data;
  uint64_t sizes[] = {32, 1}, pitches[] = {128};
  uint32_t box[] = {32, 1}, steps[] = {1, 1};
  ASSERT_EQ(getEmulatedDriver(90).encodeMap(
                &data.map, cuda::mapTf32, 2, data.elements, sizes, pitches, box,
                steps, 0, cuda::swizzle128Bytes, 0, 0),
            0);
  EXPECT_EQ(launch(
                [](void *const *parameters) {
                  auto *data = static_cast<uint32_t *>(*parameters);
                  execute(makeBarrier, {shared(0), 1});
                  execute(fence);
                  execute(expect, {shared(0), 128});
                  execute(copyBox,
                          {shared(1024), reinterpret_cast<uint64_t>(data + 32),
                           0, 0, shared(0)});
                  execute(await, {shared(0), 0});
                  std::memcpy(data, tegulaGpuShared() + 1024, 128);
                },
                &data, 1),
            "");
  EXPECT_EQ(data.elements[0], 0x3f800000u);
  // To even in the middle.
  EXPECT_EQ(data.elements[1], 0x3f800000u);
  EXPECT_EQ(data.elements[2], 0xbf804000u);
  EXPECT_EQ(data.elements[3], 0x7f800000u);
  EXPECT_TRUE(std::isnan(floatOf(data.elements[4])));
  EXPECT_EQ(data.elements[5], 0x3f802000u);
  EXPECT_EQ(data.elements[6], 0u);
}

TEST(EmulatedCopies, NameWrongCoordinatesAndBytes) {
  Boxes boxes;
  ASSERT_EQ(boxes.describe(), "");
  EXPECT_EQ(launch([](void *const *all) { copyRow8(*all, 2048 + 128, 1024); },
                   &boxes, 1),
            "the box at byte 2176 of shared memory is not at a multiple of "
            "1024");
  EXPECT_EQ(
      launch([](void *const *all) { copyRow8(*all, 64512, 1024); }, &boxes, 1),
      "");
  EXPECT_THAT(
      launch([](void *const *all) { copyRow8(*all, 65536, 1024); }, &boxes, 1),
      HasSubstr("byte 65536 of shared memory, which is not there"));
  EXPECT_EQ(
      launch([](void *const *all) { copyRow8(*all, 2048, 1000); }, &boxes, 1),
      "stage 0: 24 bytes more have arrived than the barrier at byte 0 "
      "expects");
  EXPECT_THAT(
      launch([](void *const *all) { copyRow8(*all, 2048, 1040); }, &boxes, 1),
      HasSubstr("1 for round 0 of the barrier at byte 0 of stage 0 (0 "
                "of 1 threads and 16 bytes are missing)"));
}

/// A warpgroup multiplies bytes that its threads have stored, all of them -128;
/// the accumulators of thread 0 go to `found`.
static void multiplyStored(uint64_t *found, bool isFenced) {
  constexpr uint32_t left = 1024, right = 16384, bytes = 16, word = 0x80808080;
  auto thread = static_cast<uint32_t>(tegulaGpuThread());
  auto store = [&](uint32_t offset) {
    execute("st.shared.v4.f32 [$0], {$1, $2, $3, $4};",
            {shared(offset), word, word, word, word});
  };
  // 64 rows and 8 columns of 128 bytes.
  for (uint32_t i = 0; i < 4; ++i)
    store(left + (4 * thread + i) * bytes);
  if (thread < 64)
    store(right + thread * bytes);
  if (isFenced)
    execute("fence.proxy.async.shared::cta;");
  execute("bar.sync $0, $1;", {1, 128});
  execute("wgmma.fence.sync.aligned;");
  auto describe = [](uint32_t offset) {
    return (shared(offset) & 0x3ffff) >> 4 | uint64_t(1024 >> 4) << 32 |
           uint64_t(1) << 62;
  };
  uint64_t slots[] = {0, 0, 0, 0, describe(left), describe(right), 1};
  void *known[2] = {};
  tegulaGpuInstruction("{ .reg .pred p; setp.eq.b32 p, $6, 0; "
                       "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 "
                       "{$0, $1, $2, $3}, $4, $5, p; }",
                       &known[0], slots, 4);
  execute("wgmma.commit_group.sync.aligned;");
  tegulaGpuInstruction("wgmma.wait_group.sync.aligned 0;", &known[1], slots, 4);
  if (thread == 0)
    std::copy_n(slots, 4, found);
}

TEST(EmulatedMatmuls, ReadBytesThatThreadsStoredAndFenced) {
  uint64_t found[4] = {};
  EXPECT_EQ(launch(
                [](void *const *all) {
                  multiplyStored(static_cast<uint64_t *>(*all), true);
                },
                found, 128),
            "");
  for (uint64_t sum : found)
    EXPECT_EQ(sum, 32u * 128 * 128);
  EXPECT_THAT(launch(
                  [](void *const *all) {
                    multiplyStored(static_cast<uint64_t *>(*all), false);
                  },
                  found, 128),
              HasSubstr("a matmul reads what thread 0 stored without a "
                        "fence"));
}

TEST(EmulatedDriver, RefusesTensorsThatHaveNoBoxes) {
  Boxes boxes;
  EXPECT_EQ(boxes.describe(128), "the row of a box is 256, not at most 128 "
                                 "bytes");
  EXPECT_EQ(boxes.describe(64, 120),
            "the pitch of a tensor is 120, not a multiple of 16 bytes below "
            "2^40");
  EXPECT_THAT(boxes.describe(64, 128, 1), HasSubstr("the address of a tensor"));
}
