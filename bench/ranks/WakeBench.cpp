// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it costs to wake sleeping processes, and nothing else:
// `tegula-wake-bench N` lets N of them sleep on one word, wakes them after 2 ms
// and waits until all have been awake. Prints the median in microseconds, below
// which no command to as many ranks after as long can be.

#include "tegula/dist/control/Waiting.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace tegula;

namespace {

struct Shared {
  alignas(64) Word iteration{0};
  alignas(64) Word numAwake{0};
};

} // namespace

static constexpr uint32_t numIterations = 300;

/// Wakes in every iteration and counts itself; the last one wakes the waiting
/// process.
static void sleepAndWake(Shared &shared, uint32_t count) {
  for (uint32_t iteration = 0; iteration < numIterations; ++iteration) {
    while (shared.iteration.load() == iteration)
      sleepOn(shared.iteration, iteration, 1000);
    if (shared.numAwake.fetch_add(1) + 1 == count)
      wakeAll(shared.numAwake);
  }
}

static double wakeOnce(Shared &shared, uint32_t count) {
  ::usleep(2000);
  shared.numAwake.store(0);
  int64_t start = readClock();
  shared.iteration.fetch_add(1);
  wakeAll(shared.iteration);
  for (uint32_t awake; (awake = shared.numAwake.load()) < count;)
    sleepOn(shared.numAwake, awake, 1000);
  return static_cast<double>(readClock() - start) / 1000;
}

int main(int argc, char **argv) {
  auto count = static_cast<uint32_t>(argc == 2 ? std::atoi(argv[1]) : 0);
  if (count == 0)
    return std::fprintf(stderr, "usage: tegula-wake-bench N\n"), 2;
  void *memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto *shared = new (memory) Shared;
  for (uint32_t number = 0; number < count; ++number)
    if (::fork() == 0) {
      sleepAndWake(*shared, count);
      ::_exit(0);
    }
  std::vector<double> times;
  for (uint32_t iteration = 0; iteration < numIterations; ++iteration)
    times.push_back(wakeOnce(*shared, count));
  while (::wait(nullptr) > 0)
    ;
  std::sort(times.begin(), times.end());
  std::printf("%.1f\n", times[times.size() / 2]);
  return 0;
}
