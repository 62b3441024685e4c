// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that count compiles must not find kernels of an earlier run: the cache
// is off in this program, except where a test makes one of its own.

#include "tegula/launch/cache/KernelCache.h"

#include "gtest/gtest.h"

using namespace tegula;

namespace {
struct WithoutCache : testing::Environment {
  void SetUp() override {
    CacheOptions options;
    options.mode = CacheOptions::Mode::Off;
    setDefaultCache(options);
  }
};
} // namespace

static testing::Environment *environment =
    testing::AddGlobalTestEnvironment(new WithoutCache);

TEST(DefaultCache, CanBeReplaced) {
  ASSERT_NE(environment, nullptr);
  EXPECT_EQ(getDefaultCache()->getOptions().mode, CacheOptions::Mode::Off);
}
