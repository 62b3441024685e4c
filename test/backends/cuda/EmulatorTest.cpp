// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/backends/cuda/emulator/Emulator.h"
#include "tegula/launch/gpu/GpuProgram.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"

#include "gtest/gtest.h"
#include <atomic>
#include <vector>

using namespace tegula;

/// Runs `kernel` with the address of `data` as its only parameter.
static std::string run(TegulaGpuEmulated kernel, void *data, int32_t blocks,
                       int32_t threads) {
  void *parameters[] = {data};
  return emulate({kernel, parameters, blocks, threads, /*sharedBytes=*/256,
                  /*atOnce=*/blocks});
}

TEST(Emulator, RunsEveryThreadOfEveryBlock) {
  std::vector<int> seen(3 * 64);
  EXPECT_EQ(run(
                [](void *const *parameters) {
                  auto &counts = *static_cast<std::vector<int> *>(*parameters);
                  ++counts[tegulaGpuBlock() * tegulaGpuNumThreads() +
                           tegulaGpuThread()];
                },
                &seen, 3, 64),
            "");
  EXPECT_EQ(seen, std::vector<int>(3 * 64, 1));
}

TEST(Emulator, KeepsThreadsBehindABarrier) {
  bool isRight = true;
  EXPECT_EQ(run(
                [](void *const *parameters) {
                  auto *shared = reinterpret_cast<int32_t *>(tegulaGpuShared());
                  shared[tegulaGpuThread()] = tegulaGpuThread();
                  tegulaGpuBarrier();
                  int32_t other = 31 - tegulaGpuThread();
                  if (shared[other] != other)
                    *static_cast<bool *>(*parameters) = false;
                },
                &isRight, 2, 32),
            "");
  EXPECT_TRUE(isRight);
}

// Whichever way threads run: one of both finds nothing there.
TEST(Emulator, ShowsThatABarrierIsMissing) {
  std::vector<char> found(2);
  EXPECT_EQ(run(
                [](void *const *parameters) {
                  auto *shared = reinterpret_cast<int32_t *>(tegulaGpuShared());
                  auto &wrong = *static_cast<std::vector<char> *>(*parameters);
                  for (size_t round = 0; round < 2; ++round) {
                    shared[tegulaGpuThread()] = static_cast<int32_t>(round);
                    int32_t next = (tegulaGpuThread() + 1) % 32;
                    wrong[round] |= shared[next] != static_cast<int32_t>(round);
                    tegulaGpuBarrier();
                  }
                },
                &found, 1, 32),
            "");
  EXPECT_TRUE(found[0]);
  EXPECT_TRUE(found[1]);
}

TEST(Emulator, LetsBlocksSync) {
  struct Counts {
    TegulaGpuGridBarrier barrier = {};
    int arrived = 0;
    bool isRight = true;
  } counts;
  EXPECT_EQ(run(
                [](void *const *parameters) {
                  auto &all = *static_cast<Counts *>(*parameters);
                  ++all.arrived;
                  tegulaGpuGridBarrier(&all.barrier);
                  all.isRight &= all.arrived == 3 * 32;
                },
                &counts, 3, 32),
            "");
  EXPECT_TRUE(counts.isRight);
}

TEST(Emulator, NamesThreadsThatWaitInVain) {
  int nothing = 0;
  EXPECT_EQ(run(
                [](void *const *) {
                  if (tegulaGpuThread() < 5)
                    tegulaGpuBarrier();
                },
                &nothing, 1, 32),
            "the emulated GPU hangs: of 32 threads 5 wait at a barrier, 0 for "
            "other blocks, and 27 have ended");
  // The next launch is none the worse.
  EXPECT_EQ(run([](void *const *) { tegulaGpuBarrier(); }, &nothing, 1, 32),
            "");
}

TEST(Emulator, PoisonsSharedMemory) {
  bool isPoison = true;
  run(
      [](void *const *parameters) {
        for (int i = 0; i < 256; ++i)
          *static_cast<bool *>(*parameters) &=
              static_cast<unsigned char>(tegulaGpuShared()[i]) == 0xff;
      },
      &isPoison, 1, 1);
  EXPECT_TRUE(isPoison);
}

TEST(GpuProgram, IsReadAsItWasWritten) {
  GpuProgram program;
  program.name = "add";
  program.symbol = "add_kernel";
  program.numSlots = 7;
  program.threads = 256;
  program.hasGridBarrier = true;
  program.tensors = {{0, 2, 32, false}, {5, 1, 4, true}};
  program.codes = {{"sm_90a", std::string("\177ELF\0x", 6)}, {"sm_80", ".v"}};
  std::string bytes = program.write();
  GpuProgram read;
  ASSERT_TRUE(read.read(bytes));
  EXPECT_EQ(read.write(), bytes);
  EXPECT_EQ(read.tensors[1].elementBits, 4);
  EXPECT_EQ(read.codes[0].bytes.size(), 6u);
  EXPECT_FALSE(read.matmul);
  program.matmul = {0, 1, false, true, GpuElement::Bf16};
  program.rows.emplace().tensors = {{1, true, true}};
  program.rows->variants = {
      {"rows", true, 4, 8, GpuRowAlignment::Shifted, false, 2}};
  program.matmulCodes = {{"sm_90a", "x"}};
  ASSERT_TRUE(read.read(program.write()));
  EXPECT_TRUE(read.matmul->isRightTransposed);
  EXPECT_EQ(read.matmul->epilogueOperand, -1);
  EXPECT_EQ(read.rows->variants[0].alignment, GpuRowAlignment::Shifted);
  EXPECT_EQ(read.write(), program.write());
  for (size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_FALSE(GpuProgram().read(std::string_view(bytes).substr(0, cut)));
}

TEST(GpuProgram, IsNotReadIfATensorIsMissing) {
  GpuProgram program, read;
  program.tensors = {{0, 2, 16, false}, {5, 2, 16, false}};
  program.rows.emplace().tensors = {{1, true, true}};
  program.matmul = {0, 1, false, false, GpuElement::Bf16};
  EXPECT_TRUE(read.read(program.write()));
  program.matmul->epilogueOperand = 2;
  EXPECT_FALSE(read.read(program.write()));
  program.matmul->epilogueOperand = -1;
  program.rows->tensors[0].tensor = 2;
  EXPECT_FALSE(read.read(program.write()));
  program.rows.reset();
  EXPECT_FALSE(read.read(program.write())) << "a matmul has rows";
}

TEST(GpuProgram, IsNotReadIfAPrecisionIsUnknown) {
  GpuProgram program, read;
  program.tensors = {{0, 2, 16, false}, {5, 2, 16, false}};
  program.rows.emplace();
  program.matmul = {0, 1, false, false, static_cast<GpuElement>(99)};
  EXPECT_FALSE(read.read(program.write()));
}
