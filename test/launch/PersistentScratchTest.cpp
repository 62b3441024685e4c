// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/PersistentScratch.h"

#include "gtest/gtest.h"

using namespace tegula::cuda;

/// Streams are numbers here; odd ones are captured.
static Stream stream(uintptr_t number) {
  return reinterpret_cast<Stream>(number);
}

static int numAllocations;

static Driver makeDriver() {
  Driver driver = {};
  driver.allocateAtOnce = [](Address *address, size_t) {
    *address = 4096;
    ++numAllocations;
    return 0;
  };
  driver.streamNumber = [](Stream of, unsigned long long *number) {
    *number = reinterpret_cast<uintptr_t>(of);
    return 0;
  };
  driver.streamCaptures = [](Stream of, int *captures) {
    *captures = reinterpret_cast<uintptr_t>(of) % 2;
    return 0;
  };
  return driver;
}

TEST(PersistentScratch, IsOfOneStream) {
  Driver driver = makeDriver();
  PersistentScratch kept;
  numAllocations = 0;
  EXPECT_EQ(kept.take(driver, stream(2), 1000).address, 4096u);
  EXPECT_EQ(kept.take(driver, stream(2), 1000).address, 4096u);
  EXPECT_EQ(kept.take(driver, stream(4), 1000).address, 0u);
  EXPECT_EQ(numAllocations, 1);
}

TEST(PersistentScratch, IsNotForGraphs) {
  Driver driver = makeDriver();
  PersistentScratch kept;
  EXPECT_EQ(kept.take(driver, stream(3), 1000).address, 0u);
  EXPECT_EQ(kept.take(driver, stream(2), 1000).address, 4096u);
}

TEST(PersistentScratch, IsNeitherGrownNorLarge) {
  Driver driver = makeDriver();
  PersistentScratch kept;
  EXPECT_EQ(
      kept.take(driver, stream(2), PersistentScratch::mostBytes + 1).address,
      0u);
  EXPECT_EQ(kept.take(driver, stream(2), 1000).address, 4096u);
  EXPECT_EQ(kept.take(driver, stream(2), 1001).address, 0u);
}

TEST(PersistentScratch, IsLeasedToOneAtATime) {
  Driver driver = makeDriver();
  PersistentScratch kept;
  PersistentScratch::Lease lease = kept.take(driver, stream(2), 1000);
  EXPECT_TRUE(lease.lock.owns_lock());
  lease = {};
  EXPECT_FALSE(kept.take(driver, stream(4), 1000).lock.owns_lock());
}

TEST(PersistentScratch, NeedsADriverThatKnowsStreams) {
  Driver driver = makeDriver();
  driver.streamNumber = nullptr;
  PersistentScratch kept;
  EXPECT_EQ(kept.take(driver, stream(2), 1000).address, 0u);
}

TEST(PersistentScratch, RemembersThatItWasCleared) {
  Driver driver = makeDriver();
  PersistentScratch kept;
  EXPECT_FALSE(*kept.take(driver, stream(2), 1000).isCleared);
  *kept.take(driver, stream(2), 1000).isCleared = true;
  EXPECT_TRUE(*kept.take(driver, stream(2), 500).isCleared);
}

static int mode;

TEST(PersistentScratch, LetsOthersGraphsBe) {
  Driver driver = makeDriver();
  driver.exchangeCaptureMode = [](int *wanted) {
    std::swap(mode, *wanted);
    return 0;
  };
  static int meanwhile;
  driver.allocateAtOnce = [](Address *address, size_t) {
    *address = 4096;
    meanwhile = mode;
    return 0;
  };
  mode = 0;
  PersistentScratch kept;
  EXPECT_EQ(kept.take(driver, stream(2), 1000).address, 4096u);
  EXPECT_EQ(meanwhile, relaxedCaptures);
  EXPECT_EQ(mode, 0);
}
