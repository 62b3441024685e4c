// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/memory/Arena.h"

#include "gtest/gtest.h"

using namespace tegula;

TEST(Arena, TakesTheFirstGapThatIsLargeEnough) {
  Arena arena;
  EXPECT_EQ(arena.allocate(1), -1);
  arena.extend(256);
  EXPECT_EQ(arena.allocate(65), 0);
  EXPECT_EQ(arena.allocate(1), 128);
  EXPECT_EQ(arena.allocate(128), -1);
  arena.free(0);
  EXPECT_EQ(arena.allocate(64), 0);
  EXPECT_EQ(arena.allocate(64), 64);
}

TEST(Arena, JoinsWhatIsFree) {
  Arena arena;
  arena.extend(192);
  EXPECT_EQ(arena.allocate(64), 0);
  EXPECT_EQ(arena.allocate(64), 64);
  EXPECT_EQ(arena.allocate(64), 128);
  arena.free(0);
  arena.free(128);
  arena.free(64);
  arena.extend(256);
  EXPECT_EQ(arena.allocate(256), 0);
}
