// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/cost/LowerBounds.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

llvm::StringRef sim::getName(Bound bound) {
  static constexpr llvm::StringLiteral names[numBounds] = {
      "arrays", "vector", "dram", "noc", "links", "launch"};
  return names[static_cast<unsigned>(bound)];
}

std::array<double, numBounds> sim::getLowerBounds(const Machine &machine,
                                                  const Result &result) {
  double macs = double(result.getMacs());
  Time vectorTime = 0;
  for (const CoreResult &core : result.cores)
    vectorTime += core[Unit::Vector].useful;
  const DramCounters &dram = result.dram;
  double bytes =
      double(dram.bytesRead + dram.bytesWritten + dram.partialLineBytes);
  int64_t busiestLink = 0;
  for (int64_t link : result.noc.linkBytes)
    busiestLink = std::max(busiestLink, link);
  Time busiestBetween = 0;
  for (const LinkTraffic &link : result.links)
    busiestBetween = std::max(busiestBetween, link.busy);
  auto chips = double(result.getNumChips());
  // All units wait while a kernel is launched; some also wait for its end.
  Time launching = result.total;
  for (const CoreResult &core : result.cores)
    for (const UnitTime &unit : core.units)
      launching = std::min(launching, unit.getStall(Stall::Launch));
  bool hasArrays = machine.arraysPerCore > 0;
  return {hasArrays ? macs / machine.getMacsPerCycle() / chips : 0,
          double(vectorTime) / double(machine.cores) / chips / ticksPerCycle,
          bytes / machine.getDramBytesPerCycle() / chips,
          double(busiestLink) / machine.nocPortBytesPerCycle,
          double(busiestBetween) / ticksPerCycle,
          double(launching) / ticksPerCycle};
}
