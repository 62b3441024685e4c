// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/Summary.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

static double divide(double lhs, double rhs) { return rhs > 0 ? lhs / rhs : 0; }

Summary sim::summarise(const Machine &machine, const Result &result) {
  Summary summary;
  summary.cycles = result.getCycles();
  double cycles = double(result.total) / ticksPerCycle;
  summary.microseconds = cycles / machine.coreClockMhz;
  double flops = 2.0 * double(result.getMacs());
  summary.teraflops = divide(flops, summary.microseconds) * 1e-6;
  double peak = machine.arraysPerCore > 0
                    ? machine.getMacsPerCycle()
                    : double(machine.cores) * machine.vectorUnitsPerCore *
                          machine.vectorElementsPerCycle;
  summary.computeShare = divide(double(result.getMacs()), cycles * peak);
  double bytes = double(result.dram.bytesRead + result.dram.bytesWritten);
  summary.gigabytesPerSecond = divide(bytes, summary.microseconds) * 1e-3;
  summary.bandwidthShare =
      summary.gigabytesPerSecond / machine.dramBandwidthGbPerS;
  summary.intensity = divide(flops, bytes);
  std::array<double, numBounds> bounds = getLowerBounds(machine, result);
  auto largest = std::max_element(bounds.begin(), bounds.end());
  summary.bound = Bound(largest - bounds.begin());
  summary.boundShare = divide(*largest, cycles);
  int64_t most = 0, sum = 0;
  for (int64_t channel : result.dram.channelBytes) {
    most = std::max(most, channel);
    sum += channel;
  }
  if (sum > 0)
    summary.channelImbalance =
        double(most) * result.dram.channelBytes.size() / double(sum);
  return summary;
}

UnitTime sim::addUnits(const Result &result, Unit unit) {
  UnitTime sum;
  for (const CoreResult &core : result.cores) {
    const UnitTime &time = core[unit];
    sum.busy += time.busy;
    sum.numOps += time.numOps;
    for (unsigned stall = 0; stall < numStalls; ++stall)
      sum.stalls[stall] += time.stalls[stall];
  }
  return sum;
}
