// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/Vigil.h"

#include "gtest/gtest.h"
#include <time.h>
#include <unistd.h>

using namespace tegula;

/// The processor time of this process in milliseconds.
static int64_t readOwnTime() {
  timespec time;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return int64_t(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
}

TEST(Vigil, SleepsWhenItsTimeIsOver) {
  Vigil vigil;
  for (int iteration = 0; iteration < 3; ++iteration) {
    vigil.extend(1000000);
    ::usleep(10000);
    int64_t before = readOwnTime();
    ::usleep(100000);
    EXPECT_LE(readOwnTime() - before, 10);
  }
}

TEST(Vigil, EndsAtOnceWithItsOwner) {
  constexpr int64_t minute = int64_t(60) * 1000000000;
  int64_t start = readClock();
  {
    Vigil vigil;
    vigil.extend(minute);
    ::usleep(1000);
  }
  EXPECT_LT(readClock() - start, minute / 6);
}
