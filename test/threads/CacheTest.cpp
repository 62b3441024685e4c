// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One cache on disk, used by several threads at once.
#include "tegula/launch/cache/KernelCache.h"
#include "test/launch/CacheFixture.h"
#include "test/threads/Together.h"

using namespace tegula;

namespace {

class ThreadCacheTest : public DiskCacheTest {
protected:
  void TearDown() override {
    setDefaultCache(CacheOptions::fromEnvironment());
    DiskCacheTest::TearDown();
  }
};

} // namespace

TEST_F(ThreadCacheTest, EntriesAreFoundWholeOrNotAtAll) {
  options.maxBytes = 20000;
  DiskCache cache = open();
  runTogether(4, [&](int number) {
    for (int round = 0; round < 30; ++round) {
      std::string variant = std::to_string((number + round) % 5);
      EXPECT_TRUE(cache.store(entryOf(variant), codeOf(variant, 3000)));
      std::optional<CachedCode> found = cache.find("program", variant);
      if (found) {
        EXPECT_EQ(found->entry.facts, "facts of " + variant);
      }
    }
  });
}

TEST_F(ThreadCacheTest, KernelsShareCachedCode) {
  setDefaultCache(options);
  runTogether(3, [&](int) {
    for (int round = 0; round < 4; ++round) {
      Kernel kernel = loadText("import tegula.language as pl\n"
                               "@pl.jit\n"
                               "def k(x, y: pl.Out[pl.Tensor]):\n"
                               "    y[:] = x * 2.0\n");
      std::vector<float> x(4 + round, 3.0f), y(4 + round);
      int64_t size = x.size();
      EXPECT_EQ(callKernel(kernel, {TensorView(x.data(), {size}),
                                    TensorView(y.data(), {size})}),
                "");
      EXPECT_EQ(y.back(), 6.0f);
    }
  });
  EXPECT_FALSE(listNames().empty());
}

TEST_F(ThreadCacheTest, TheDefaultMayBeReplacedDuringCalls) {
  runTogether(3, [&](int number) {
    for (int round = 0; round < 50; ++round) {
      if (number == 0)
        setDefaultCache(options);
      else
        EXPECT_TRUE(getDefaultCache());
    }
  });
}
