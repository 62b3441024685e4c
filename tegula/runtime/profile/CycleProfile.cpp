// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/profile/CycleProfile.h"

#include "tegula/launch/call/TracedCall.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/sim/report/Summary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace tegula;
using llvm::formatv;

Expected<CycleProfile> tegula::profileCycles(const KernelSource &source,
                                             llvm::ArrayRef<Argument> arguments,
                                             const sim::Machine &machine) {
  Expected<Kernel> kernel = loadKernel(source);
  if (!kernel)
    return kernel.takeError();
  Expected<std::unique_ptr<TracedCall>> call =
      kernel->trace(arguments, sim::printMachine(machine));
  if (!call)
    return call.takeError();
  CycleProfile profile;
  sim::SimulateOptions options;
  options.observer = &profile.lines;
  Expected<sim::Result> result =
      sim::simulate(machine, (*call)->getKernel(), options);
  if (!result)
    return result.takeError();
  if (Problem problem = (*call)->getProblem())
    return toError(problem);
  profile.result = std::move(*result);
  return profile;
}

static double sumOf(const sim::LineCycles::Work &work) {
  return std::accumulate(work.begin(), work.end(), 0.0);
}

/// "dma in 861, vector 20": cycles of the units that worked, the busiest first.
static std::string formatWork(const sim::LineCycles::Work &work) {
  std::vector<unsigned> units;
  for (unsigned unit = 0; unit < sim::numUnits; ++unit)
    if (work[unit] > 0)
      units.push_back(unit);
  llvm::sort(units, [&](unsigned a, unsigned b) { return work[a] > work[b]; });
  return llvm::join(llvm::map_range(units,
                                    [&](unsigned unit) {
                                      return formatv("{0} {1}",
                                                     getName(sim::Unit(unit)),
                                                     sim::toCycles(work[unit]))
                                          .str();
                                    }),
                    ", ");
}

std::string tegula::formatCycles(const CycleProfile &profile,
                                 const sim::Machine &machine,
                                 llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> source;
  text.split(source, '\n');
  const auto &lines = profile.lines.getLines();
  double all = 0;
  for (const auto &[line, work] : lines)
    all += sumOf(work);
  sim::Summary summary = sim::summarise(machine, profile.result);
  std::string written =
      formatv("bound by {0}, which alone would take {1:F1} % of the time\n",
              getName(summary.bound), 100 * summary.boundShare);
  for (const auto &[line, work] : lines) {
    double share = 100 * sumOf(work) / std::max(all, 1.0);
    bool isLine = line > 0 && static_cast<size_t>(line) <= source.size();
    written +=
        formatv("{0,5} {1,5:F1} %  {2,-44} {3}\n",
                isLine ? std::to_string(line) : "", share, formatWork(work),
                isLine ? source[line - 1].trim() : "elsewhere");
  }
  return written + "cycles are those of the units of all cores together, which "
                   "work side by side\n";
}
