// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/Waiting.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <linux/futex.h>
#include <string>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace tegula;

int64_t tegula::parseCoreLimit(const char *text) {
  long long quota = 0, period = 0;
  if (std::sscanf(text, "%lld %lld", &quota, &period) != 2 || period <= 0 ||
      quota <= 0)
    return 0;
  return std::max<int64_t>(1, quota / period);
}

/// The smallest limit of the control groups this process is in; 0 if none.
static int64_t readCoreLimit() {
  std::string line, group;
  std::ifstream own("/proc/self/cgroup");
  while (std::getline(own, line))
    if (line.compare(0, 3, "0::") == 0)
      group = line.substr(3);
  int64_t least = 0;
  for (;;) {
    std::string text;
    std::ifstream file("/sys/fs/cgroup" + group + "/cpu.max");
    if (std::getline(file, text))
      if (int64_t limit = parseCoreLimit(text.c_str()))
        least = least == 0 ? limit : std::min(least, limit);
    size_t slash = group.rfind('/');
    if (slash == std::string::npos)
      return least;
    group.resize(slash);
  }
}

bool tegula::hasCoreLimit() { return readCoreLimit() > 0; }

int64_t tegula::countUsableCores() {
  static const int64_t count = [] {
    cpu_set_t cores;
    int64_t allowed = ::sched_getaffinity(0, sizeof(cores), &cores) == 0
                          ? CPU_COUNT(&cores)
                          : ::sysconf(_SC_NPROCESSORS_ONLN);
    int64_t limit = readCoreLimit();
    return limit == 0 ? allowed : std::min(allowed, limit);
  }();
  return count;
}

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
