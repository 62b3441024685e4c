// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/gpu/driver/GpuScratch.h"

#include "gtest/gtest.h"

using namespace tegula;

static GpuScratch planFor(int64_t common, int64_t own, int64_t iterations,
                          int64_t mostBlocks) {
  TegulaGpuRequest request = {};
  request.commonBytes = common;
  request.ownBytes = own;
  request.iterations = iterations;
  return GpuScratch(request, mostBlocks);
}

TEST(GpuScratch, HasABlockForEachIterationAsFarAsTheyFit) {
  EXPECT_EQ(planFor(0, 0, 5, 100).blocks, 5);
  EXPECT_EQ(planFor(0, 0, 500, 100).blocks, 100);
  EXPECT_EQ(planFor(0, 0, 0, 100).blocks, 1);
  GpuScratch some = planFor(1000, 300, 4, 100);
  EXPECT_EQ(some.common, 1024);
  EXPECT_EQ(some.own, 512);
  EXPECT_EQ(some.getBytes(), 1024 + 4 * 512);
}

TEST(GpuScratch, TakesFewerBlocksWhereEachNeedsMuch) {
  EXPECT_EQ(planFor(0, int64_t(1) << 30, 1000, 1000).blocks, 4);
  EXPECT_EQ(planFor(0, int64_t(1) << 40, 1000, 1000).blocks, 1);
}

// Sizes that wrapped around, or that no machine has, never become small ones.
TEST(GpuScratch, NeverOverflows) {
  for (int64_t bytes : {int64_t(-1), INT64_MAX, INT64_MIN, int64_t(1) << 62}) {
    GpuScratch sizes = planFor(bytes, bytes, INT64_MAX, 1 << 20);
    EXPECT_GT(sizes.common, 0);
    EXPECT_GT(sizes.own, 0);
    EXPECT_GE(sizes.getBytes(), sizes.common + sizes.own);
    EXPECT_LT(sizes.getBytes(), int64_t(1) << 48);
  }
}

TEST(GpuScratch, ShrinksToWhatUnknownNeedsGet) {
  GpuScratch sizes = planFor(int64_t(1) << 40, int64_t(1) << 30, 4, 4);
  int steps = 0;
  int64_t before = sizes.getBytes();
  while (sizes.shrink()) {
    EXPECT_LT(sizes.getBytes(), before);
    before = sizes.getBytes();
    ASSERT_LT(++steps, 100);
  }
  EXPECT_EQ(sizes.blocks, 1);
  EXPECT_EQ(sizes.common, 64 << 20);
  EXPECT_EQ(sizes.own, 1 << 20);
}
