// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/Summary.h"

#include <algorithm>
#include <numeric>

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
  auto chips = double(result.getNumChips());
  peak *= chips;
  summary.peakTeraflops = 2e-6 * peak * machine.coreClockMhz;
  summary.computeShare = divide(double(result.getMacs()), cycles * peak);
  double bytes = double(result.dram.bytesRead + result.dram.bytesWritten);
  summary.gigabytesPerSecond = divide(bytes, summary.microseconds) * 1e-3;
  summary.peakGigabytesPerSecond = chips * machine.dramBandwidthGbPerS;
  summary.bandwidthShare =
      summary.gigabytesPerSecond / summary.peakGigabytesPerSecond;
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
  summary.millijoules = 1e3 * result.energy.getTotal();
  for (unsigned unit = 0; unit < numUnits; ++unit) {
    UnitTime time = addUnits(result, Unit(unit));
    auto total = double(time.getTotal());
    summary.busyShares[unit] = divide(double(time.busy), total);
    summary.usefulShares[unit] = divide(double(time.useful), total);
  }
  return summary;
}

UnitTime sim::addUnits(const Result &result, Unit unit) {
  UnitTime sum;
  for (const CoreResult &core : result.cores) {
    const UnitTime &time = core[unit];
    sum.busy += time.busy;
    sum.useful += time.useful;
    sum.numOps += time.numOps;
    for (unsigned stall = 0; stall < numStalls; ++stall)
      sum.stalls[stall] += time.stalls[stall];
  }
  return sum;
}

std::vector<int64_t> sim::toTenthsOfPercent(llvm::ArrayRef<Time> parts) {
  Time total = std::accumulate(parts.begin(), parts.end(), Time(0));
  std::vector<int64_t> tenths(parts.size());
  if (total == 0)
    return tenths;
  std::vector<std::pair<double, size_t>> losses;
  int64_t left = 1000;
  for (size_t part = 0; part < parts.size(); ++part) {
    double exact = 1000.0 * double(parts[part]) / double(total);
    tenths[part] = int64_t(exact);
    left -= tenths[part];
    losses.push_back({double(tenths[part]) - exact, part});
  }
  std::sort(losses.begin(), losses.end());
  for (size_t next = 0; left > 0; --left)
    ++tenths[losses[next++].second];
  return tenths;
}
