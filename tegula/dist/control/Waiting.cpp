// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/control/Waiting.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace tegula;

void tegula::sleepOn(Word &word, uint32_t value, int64_t milliseconds) {
  timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &time, nullptr, 0);
}

void tegula::wakeAll(Word &word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

int64_t tegula::readClock() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}
