// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/memory/AvailableMemory.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <sys/statvfs.h>

using namespace tegula;

static int64_t readMachine() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (int64_t kilobytes; file >> name >> kilobytes; std::getline(file, unit))
    if (name == "MemAvailable:")
      return kilobytes * 1024;
  return INT64_MAX;
}

/// What a control group has left; it may have no limit.
static int64_t readGroup() {
  std::ifstream limitFile("/sys/fs/cgroup/memory.max");
  std::ifstream usedFile("/sys/fs/cgroup/memory.current");
  int64_t limit, used;
  return limitFile >> limit && usedFile >> used ? limit - used : INT64_MAX;
}

int64_t tegula::readAvailableMemory(bool shared) {
  int64_t bytes = std::min(readMachine(), readGroup());
  struct statvfs room;
  if (shared && ::statvfs("/dev/shm", &room) == 0)
    bytes = std::min<int64_t>(bytes, int64_t(room.f_bavail) * room.f_frsize);
  return std::max<int64_t>(bytes, 0);
}
