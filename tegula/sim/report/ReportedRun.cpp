// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/ReportedRun.h"

#include "tegula/sim/sweep/Sweep.h"

using namespace tegula;
using namespace tegula::sim;

std::string sim::getTitle(const ReportedRun &run) {
  std::string size = formatExtents(run.symbols, run.extents);
  return size.empty() ? run.kernel : run.kernel + " " + size;
}
