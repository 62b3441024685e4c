// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast the simulator is: matmuls at the three levels of DRAM, and ten
// million operations. Prints and asserts nothing.

#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/programs/Gemm.h"

#include <cstdio>
#include <sys/resource.h>
#include <time.h>

using namespace tegula;
using namespace tegula::sim;

/// CPU seconds of this process: others may run concurrently.
static double getSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

static long getPeakMegabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

static void measure(const Machine &machine, const char *level,
                    const GemmShape &shape, const GemmTile &tile, int repeats) {
  Gemm gemm(shape, tile);
  double best = 1e30;
  int64_t cycles = 0, ops = 0, events = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    double start = getSeconds();
    Result result = llvm::cantFail(simulate(machine, gemm.getKernel()));
    best = std::min(best, getSeconds() - start);
    cycles = result.getCycles();
    ops = result.numOps;
    events = result.numEvents;
  }
  std::printf("%5ldx%5ldx%5ld  tile %4ldx%4ldx%4ld  %-8s %10.2f ms  %9ld "
              "cycles  %9ld ops  %9ld events  %5.1f M events/s  %ld MB\n",
              long(shape.m), long(shape.n), long(shape.k), long(tile.m),
              long(tile.n), long(tile.k), level, best * 1e3, long(cycles),
              long(ops), long(events), double(events) / best / 1e6,
              getPeakMegabytes());
}

int main() {
  std::printf("at the start %ld MB, most of it LLVM's library\n",
              getPeakMegabytes());
  Machine machine = llvm::cantFail(loadMachine("tpuv3"));
  for (auto [level, name] : {std::pair(DramLevel::Roofline, "roofline"),
                             std::pair(DramLevel::Channel, "channel"),
                             std::pair(DramLevel::Bank, "bank")}) {
    machine.dramLevel = level;
    measure(machine, name, {2048, 2048, 2048}, {512, 512, 512}, 5);
    measure(machine, name, {2048, 2048, 2048}, {1024, 1024, 256}, 5);
    measure(machine, name, {2048, 2048, 2048}, {128, 128, 128}, 3);
    measure(machine, name, {8192, 8192, 8192}, {1024, 1024, 256}, 1);
  }
  machine.dramLevel = DramLevel::Channel;
  measure(machine, "channel", {12288, 12288, 12288}, {64, 64, 128}, 1);
}
