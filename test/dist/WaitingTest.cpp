// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/Waiting.h"

#include "gtest/gtest.h"
#include <thread>

using namespace tegula;

TEST(Waiting, ReadsTheShareOfAControlGroup) {
  EXPECT_EQ(parseCoreLimit("max 100000\n"), 0);
  EXPECT_EQ(parseCoreLimit("200000 100000\n"), 2);
  EXPECT_EQ(parseCoreLimit("50000 100000\n"), 1);
  EXPECT_EQ(parseCoreLimit("-1 100000"), 0);
  EXPECT_EQ(parseCoreLimit(""), 0);
}

TEST(Waiting, KnowsBothVersionsOfControlGroups) {
  EXPECT_EQ(readCoreGroup("0::/a/b")->top, "/sys/fs/cgroup");
  EXPECT_EQ(readCoreGroup("0::/a/b")->path, "/a/b");
  EXPECT_EQ(readCoreGroup("3:cpu,cpuacct:/a")->top,
            "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_EQ(readCoreGroup("3:cpu,cpuacct:/a")->path, "/a");
  for (const char *line : {"", "7", "4:cpuset:/a", "12:memory:/"})
    EXPECT_FALSE(readCoreGroup(line)) << line;
}

TEST(Waiting, SpinsOnlyIfAllHaveACore) {
  EXPECT_GT(Patience::amongRunning(1).spins, 0);
  EXPECT_EQ(Patience::amongRunning(countUsableCores() + 1).spins, 0);
}

TEST(Waiting, SleepsUntilWoken) {
  Word word = 0;
  std::thread other([&] {
    word = 1;
    wakeAll(word);
  });
  int64_t start = readClock();
  while (word == 0)
    sleepOn(word, 0, 10000);
  other.join();
  EXPECT_LT(readClock() - start, int64_t(5) * 1000000000);
}

TEST(Waiting, SleepsNoLongerThanAsked) {
  Word word = 0;
  int64_t start = readClock();
  sleepOn(word, 0, 20);
  EXPECT_GE(readClock() - start, 15000000);
}
