// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/threads/UsableCores.h"

#include "tegula/launch/threads/WipedOnFork.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <new>
#include <sched.h>
#include <unistd.h>

using namespace tegula;

int64_t tegula::parseCoreLimit(const std::string &text) {
  long long quota = 0, period = 0;
  if (std::sscanf(text.c_str(), "%lld %lld", &quota, &period) != 2 ||
      period <= 0 || quota <= 0)
    return 0;
  return std::max<int64_t>(1, quota / period);
}

std::optional<CoreGroup> tegula::readCoreGroup(const std::string &line) {
  size_t first = line.find(':');
  size_t second =
      first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos)
    return std::nullopt;
  std::string controllers = line.substr(first + 1, second - first - 1);
  CoreGroup group{"/sys/fs/cgroup", line.substr(second + 1)};
  if (controllers.empty())
    return group;
  if (("," + controllers + ",").find(",cpu,") == std::string::npos)
    return std::nullopt;
  group.top += "/" + controllers;
  return group;
}

static std::string readLine(const std::string &path) {
  std::string text;
  std::ifstream file(path);
  std::getline(file, text);
  return text;
}

/// The limit of one group, whichever version of them the system has.
static int64_t readLimitOf(const std::string &folder) {
  if (int64_t limit = parseCoreLimit(readLine(folder + "/cpu.max")))
    return limit;
  return parseCoreLimit(readLine(folder + "/cpu.cfs_quota_us") + " " +
                        readLine(folder + "/cpu.cfs_period_us"));
}

/// The smallest limit of the control groups this process is in; 0 if none.
/// Kernels ask, through which no exception comes: what there is no memory to
/// read is no limit.
static int64_t readCoreLimit() try {
  int64_t least = 0;
  std::string line;
  std::ifstream own("/proc/self/cgroup");
  while (std::getline(own, line)) {
    std::optional<CoreGroup> group = readCoreGroup(line);
    if (!group)
      continue;
    for (std::string path = group->path;; path.resize(path.rfind('/'))) {
      if (int64_t limit = readLimitOf(group->top + path))
        least = least == 0 ? limit : std::min(least, limit);
      if (path.find('/') == std::string::npos)
        break;
    }
  }
  return least;
} catch (std::bad_alloc &) {
  return 0;
}

bool tegula::hasCoreLimit() { return readCoreLimit() > 0; }

/// 0 as long as nobody has asked; a child may have others than its parent.
static WipedOnFork<std::atomic<int64_t>> known;

int64_t tegula::countUsableCores() {
  if (int64_t count = known->load(std::memory_order_relaxed))
    return count;
  cpu_set_t cores;
  int64_t allowed = ::sched_getaffinity(::getpid(), sizeof(cores), &cores) == 0
                        ? CPU_COUNT(&cores)
                        : ::sysconf(_SC_NPROCESSORS_ONLN);
  int64_t limit = readCoreLimit();
  int64_t count =
      std::max<int64_t>(1, limit == 0 ? allowed : std::min(allowed, limit));
  known->store(count, std::memory_order_relaxed);
  return count;
}
