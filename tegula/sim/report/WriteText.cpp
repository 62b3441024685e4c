// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteText.h"

#include "tegula/sim/report/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;

static double percent(double share) { return 100 * share; }

static void writeHead(const Machine &machine, const Result &result,
                      llvm::raw_ostream &out) {
  Summary summary = summarise(machine, result);
  out << "machine    " << machine.name << ": " << machine.description << "\n";
  out << format("time       %lld cycles, %.2f us\n", (long long)summary.cycles,
                summary.microseconds);
  out << format("compute    %.3f TFLOP/s, %.1f %% of the peak\n",
                summary.teraflops, percent(summary.computeShare));
  out << format("memory     %.1f GB/s, %.1f %% of the peak, %.1f FLOP/byte\n",
                summary.gigabytesPerSecond, percent(summary.bandwidthShare),
                summary.intensity);
  out << "bound by   " << getName(summary.bound)
      << format(", which needs %.1f %% of the time at its peak; %.2f times as "
                "fast at best\n",
                percent(summary.boundShare),
                summary.boundShare > 0 ? 1 / summary.boundShare : 1.0);
  const Extrapolation &cut = result.extrapolation;
  if (cut.allItems > 0)
    out << format("cut short  %lld of %lld work items simulated, halves differ "
                  "by %.2f %%\n",
                  (long long)cut.simulatedItems, (long long)cut.allItems,
                  percent(cut.residual));
}

/// One line of a unit: busy, then causes from the largest down.
static void writeUnit(const UnitTime &time, Unit unit, llvm::raw_ostream &out) {
  double total = double(time.getTotal());
  auto share = [&](Time part) { return percent(double(part) / total); };
  out << "  " << llvm::left_justify(getName(unit), 9)
      << format("%6.1f busy", share(time.busy));
  llvm::SmallVector<unsigned> causes;
  for (unsigned stall = 0; stall < numStalls; ++stall)
    if (time.stalls[stall] > 0)
      causes.push_back(stall);
  llvm::sort(causes, [&](unsigned lhs, unsigned rhs) {
    return std::pair(-time.stalls[lhs], lhs) <
           std::pair(-time.stalls[rhs], rhs);
  });
  for (unsigned cause : causes)
    out << format(", %.1f ", share(time.stalls[cause]))
        << getName(Stall(cause));
  out << "\n";
}

static void writeMemory(const Machine &machine, const Result &result,
                        llvm::raw_ostream &out) {
  const DramCounters &dram = result.dram;
  out << format("dram       %.2f MB read, %.2f MB written, %.2f MB of partial "
                "lines; busiest channel %.2f of the mean\n",
                double(dram.bytesRead) / 1e6, double(dram.bytesWritten) / 1e6,
                double(dram.partialLineBytes) / 1e6,
                summarise(machine, result).channelImbalance);
  if (machine.dramLevel == DramLevel::Bank)
    out << format("rows       %lld hits, %lld misses, %lld conflicts, %lld "
                  "refreshes\n",
                  (long long)dram.rowHits, (long long)dram.rowMisses,
                  (long long)dram.rowConflicts, (long long)dram.refreshes);
  if (machine.l2Bytes > 0)
    out << format("cache      %.2f MB hit, %.2f MB missed, %.2f MB written "
                  "back\n",
                  double(result.cache.hitBytes) / 1e6,
                  double(result.cache.missBytes) / 1e6,
                  double(result.cache.writtenBackBytes) / 1e6);
  for (const TensorTraffic &tensor : result.tensors)
    out << "  " << llvm::left_justify(tensor.name, 9)
        << format("%10.3f MB loaded %10.3f MB stored\n",
                  double(tensor.bytesLoaded) / 1e6,
                  double(tensor.bytesStored) / 1e6);
}

void sim::writeText(const Machine &machine, const Result &result,
                    llvm::raw_ostream &out) {
  writeHead(machine, result, out);
  out << "units      % of the time of all cores\n";
  for (unsigned unit = 0; unit < numUnits; ++unit) {
    UnitTime time = addUnits(result, Unit(unit));
    if (time.numOps > 0)
      writeUnit(time, Unit(unit), out);
  }
  writeMemory(machine, result, out);
  int64_t highWater = 0;
  for (const CoreResult &core : result.cores)
    highWater = std::max(highWater, core.scratchpadHighWater);
  out << format("scratchpad %.3f MB at most on a core\n",
                double(highWater) / 1e6);
  const Energy &energy = result.energy;
  out << format("energy     %.3f mJ: %.1f %% macs, %.1f %% vector, %.1f %% "
                "scratchpad, %.1f %% noc, %.1f %% cache, %.1f %% dram, %.1f "
                "%% leakage\n",
                energy.getTotal() * 1e3,
                percent(energy.macs / energy.getTotal()),
                percent(energy.vector / energy.getTotal()),
                percent(energy.scratchpad / energy.getTotal()),
                percent(energy.noc / energy.getTotal()),
                percent(energy.l2 / energy.getTotal()),
                percent(energy.dram / energy.getTotal()),
                percent(energy.leakage / energy.getTotal()));
  out << "           (" << machine.energyOrigin << ")\n";
  for (const TenantResult &tenant : result.tenants)
    if (result.tenants.size() > 1)
      out << "tenant     " << tenant.name
          << format(": cycles %lld to %lld\n",
                    (long long)toCycles(tenant.start),
                    (long long)toCycles(tenant.end));
}
