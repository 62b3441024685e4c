// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in rows that are not planned again.

#include "tegula/launch/gpu/variants/RowLaunchCache.h"

#include "gtest/gtest.h"

#include <thread>

using namespace tegula;

namespace {

/// Two matrices and a number.
struct CachedLaunch : testing::Test {
  std::vector<GpuTensor> tensors = {{0, 2, 32, false}, {6, 2, 32, true}};
  std::vector<int64_t> slots = {4096, 8, 64, 64, 1, 7, 8192, 8, 64, 64, 1};
  RowLaunchCache known;

  bool find(const std::vector<int64_t> &call, GpuRowLaunch &launch) {
    return known.find(tensors, call.data(), int64_t(call.size()), launch);
  }
  void keep(size_t variant, int64_t blocks, std::vector<int64_t> own = {}) {
    GpuRowLaunch launch;
    launch.variant = variant;
    launch.blocks = blocks;
    launch.threads = 96;
    launch.slots.assign(own.data(), own.data() + own.size());
    known.keep(tensors, slots.data(), int64_t(slots.size()), launch);
  }
};

} // namespace

TEST_F(CachedLaunch, IsFoundAtOtherAddressesOnly) {
  GpuRowLaunch launch;
  EXPECT_FALSE(find(slots, launch));
  keep(3, 17);
  ASSERT_TRUE(find(slots, launch));
  EXPECT_EQ(launch.variant, 3u);
  EXPECT_EQ(launch.blocks, 17);
  EXPECT_EQ(launch.threads, 96);
  EXPECT_TRUE(launch.slots.empty());
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    std::vector<int64_t> other = slots;
    other[slot] += 256;
    bool isAddress = slot == 0 || slot == 6;
    EXPECT_EQ(find(other, launch), isAddress) << slot;
    for (int64_t step : {1, 2, 4, 8, 16, 32, 64, 128}) {
      other[slot] = slots[slot] + step;
      EXPECT_FALSE(find(other, launch)) << slot;
    }
  }
  std::vector<int64_t> shorter(slots.begin(), slots.end() - 1);
  EXPECT_FALSE(find(shorter, launch));
}

TEST_F(CachedLaunch, HasSlotsOfItsOwnWithAddressesOfTheCall) {
  keep(0, 1, {4096, 1, 512, 64, 1, 7, 8192, 1, 512, 64, 1});
  slots[0] = 256;
  slots[6] = 512;
  GpuRowLaunch launch;
  ASSERT_TRUE(find(slots, launch));
  EXPECT_EQ(std::vector<int64_t>(launch.slots.begin(), launch.slots.end()),
            (std::vector<int64_t>{256, 1, 512, 64, 1, 7, 512, 1, 512, 64, 1}));
}

TEST_F(CachedLaunch, IsReplacedByTheLastOne) {
  keep(0, 1, {4096, 1, 512, 64, 1, 7, 8192, 1, 512, 64, 1});
  slots[1] = slots[7] = 9;
  keep(1, 2);
  GpuRowLaunch launch;
  ASSERT_TRUE(find(slots, launch));
  EXPECT_EQ(launch.variant, 1u);
  EXPECT_TRUE(launch.slots.empty());
  slots[1] = slots[7] = 8;
  EXPECT_FALSE(find(slots, launch));
}

TEST_F(CachedLaunch, IsNotKeptForManySlots) {
  slots.assign(100, 5);
  keep(1, 1);
  GpuRowLaunch launch;
  EXPECT_FALSE(find(slots, launch));
}

TEST_F(CachedLaunch, IsWholeInEveryThread) {
  std::atomic<int> wrong = 0;
  auto work = [&](int64_t size) {
    std::vector<int64_t> mine = slots;
    mine[1] = mine[7] = size;
    for (int iteration = 0; iteration < 20000; ++iteration) {
      GpuRowLaunch launch;
      if (find(mine, launch) &&
          (launch.variant != size_t(size) || launch.blocks != size ||
           launch.slots[2] != size))
        ++wrong;
      std::vector<int64_t> own = mine;
      own[2] = size;
      launch.variant = size;
      launch.blocks = size;
      launch.slots.assign(own.data(), own.data() + own.size());
      known.keep(tensors, mine.data(), int64_t(mine.size()), launch);
    }
  };
  std::thread other(work, 5), another(work, 6);
  work(7);
  other.join();
  another.join();
  EXPECT_EQ(wrong, 0);
}
