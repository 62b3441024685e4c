// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cuda/emulator/SharedAccess.h"

#include "tegula/backends/cuda/emulator/Emulator.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"

#include "gtest/gtest.h"
#include <cstring>

using namespace tegula;

/// Runs the kernel on a block of two warps, with a word of shared memory for
/// each thread.
static std::string run(TegulaGpuEmulated kernel) {
  return emulate({kernel, nullptr, /*blocks=*/1, /*threads=*/64,
                  /*sharedBytes=*/256, /*atOnce=*/1});
}

static char *wordOf(int32_t thread) { return tegulaGpuShared() + 4 * thread; }
/// The number of the thread and of the store.
static void store(char *to, int64_t bytes, int32_t number) {
  int32_t stored = number << 8 | (tegulaGpuThread() + 1);
  auto *from = reinterpret_cast<const char *>(&stored);
  tegulaGpuSharedStore(to, bytes, from);
  std::memcpy(to, from, bytes);
}
static void storeOwn(int32_t number = 1) {
  store(wordOf(tegulaGpuThread()), 4, number);
}
static void loadOfOtherWarp() {
  tegulaGpuSharedLoad(wordOf((tegulaGpuThread() + 32) % 64), 4);
}

/// Which of two accesses is found to be early depends on who runs first.
static bool hasRace(const std::string &problem) {
  return problem.find("race on bytes") == 0;
}

TEST(SharedAccess, NamesALoadWithoutABarrier) {
  std::string problem = run([](void *const *) {
    storeOwn();
    loadOfOtherWarp();
  });
  EXPECT_PRED1(hasRace, problem);
}

TEST(SharedAccess, TakesLoadsBehindABarrier) {
  EXPECT_EQ(run([](void *const *) {
              storeOwn();
              tegulaGpuBarrier();
              loadOfOtherWarp();
              tegulaGpuBarrier();
              storeOwn(2);
            }),
            "");
}

TEST(SharedAccess, NamesAStoreOverWhatOthersMayStillRead) {
  std::string problem = run([](void *const *) {
    storeOwn();
    tegulaGpuBarrier();
    loadOfOtherWarp();
    storeOwn(2);
  });
  EXPECT_PRED1(hasRace, problem);
}

// Lanes that exchange numbers know nothing of other warps.
TEST(SharedAccess, AnExchangeIsNoBarrier) {
  std::string problem = run([](void *const *) {
    storeOwn();
    tegulaGpuExchange(0, 1);
    loadOfOtherWarp();
  });
  EXPECT_PRED1(hasRace, problem);
}

TEST(SharedAccess, KnowsPartsOfAWord) {
  EXPECT_EQ(run([](void *const *) {
              int32_t thread = tegulaGpuThread();
              store(wordOf(thread % 32) + ptrdiff_t(2) * (thread / 32), 2, 1);
            }),
            "");
  std::string problem = run(
      [](void *const *) { store(wordOf(tegulaGpuThread() % 32) + 1, 2, 1); });
  EXPECT_PRED1(hasRace, problem);
}

// Threads that hold the same element write it all.
TEST(SharedAccess, TakesTheSameTwice) {
  EXPECT_EQ(run([](void *const *) {
              constexpr char zero[4] = {};
              char *to = wordOf(tegulaGpuThread() % 32);
              tegulaGpuSharedStore(to, sizeof(zero), zero);
              std::memcpy(to, zero, sizeof(zero));
            }),
            "");
}

/// A number of the second warp over that of the first one.
static std::string storeBoth(uint32_t first, uint32_t second) {
  static uint32_t numbers[2];
  numbers[0] = first;
  numbers[1] = second;
  return run([](void *const *) {
    const uint32_t &number = numbers[tegulaGpuThread() / 32];
    char *to = wordOf(tegulaGpuThread() % 32);
    tegulaGpuSharedStore(to, 4, reinterpret_cast<const char *>(&number));
    std::memcpy(to, &number, 4);
  });
}

// Which sign it has depends on the order of a sum, and on this processor.
TEST(SharedAccess, TakesNanOfBothSigns) {
  EXPECT_EQ(storeBoth(0x7fc00000, 0xffc00000), "");
  EXPECT_EQ(storeBoth(0xffc07fc0, 0x7fc0ffc0), "");
  EXPECT_PRED1(hasRace, storeBoth(0x7f800000, 0xff800000));
}

TEST(SharedAccess, NamesMemoryThatIsNotThere) {
  EXPECT_EQ(run([](void *const *) { tegulaGpuSharedLoad(wordOf(64), 4); }),
            "a thread uses byte 256 of shared memory, which is not there");
}
