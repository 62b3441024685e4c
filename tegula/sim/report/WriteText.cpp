// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteText.h"

#include "tegula/sim/report/FormatNumbers.h"
#include "tegula/sim/report/Summary.h"
#include "tegula/sim/report/WriteChips.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;

static double percent(double share) { return 100 * share; }

static void writeHead(const ReportedRun &run, llvm::raw_ostream &out) {
  Summary summary = summarise(run.machine, run.result);
  out << getTitle(run) << " on ";
  if (run.result.getNumChips() > 1)
    out << run.result.getNumChips() << " x ";
  out << run.machine.name << " (" << run.machine.description << ")\n\n";
  out << format("time       %lld cycles, ", (long long)summary.cycles)
      << formatMicroseconds(summary.microseconds) << "\n";
  if (run.result.getMacs() > 0)
    out << "compute    " << formatRate(summary.teraflops) << " of "
        << formatRate(summary.peakTeraflops)
        << format(" TFLOP/s, %.1f %%\n", percent(summary.computeShare));
  else
    out << "compute    no matmul\n";
  out << "memory     " << formatRate(summary.gigabytesPerSecond) << " of "
      << formatRate(summary.peakGigabytesPerSecond)
      << format(" GB/s, %.1f %%", percent(summary.bandwidthShare));
  if (summary.intensity > 0)
    out << "; " << formatRate(summary.intensity) << " FLOP/byte";
  out << "\n";
  out << "bound by   " << getName(summary.bound)
      << (summary.bound == Bound::Launch ? ": it takes "
                                         : ": at its peak it needs ")
      << format("%.1f %% of this time, so %.2f times as fast is the limit\n",
                percent(summary.boundShare),
                summary.boundShare > 0 ? 1 / summary.boundShare : 1.0);
  const Extrapolation &cut = run.result.extrapolation;
  if (cut.allItems > 0)
    out << format("cut short  %lld of %lld work items were simulated; halves "
                  "of them differ by %.2f %%\n",
                  (long long)cut.simulatedItems, (long long)cut.allItems,
                  percent(cut.residual));
}

/// One line of a unit: busy, useful, then causes from the largest down. Those
/// below one percent are one.
static void writeUnit(const UnitTime &time, Unit unit, llvm::raw_ostream &out) {
  std::vector<Time> parts(time.stalls.begin(), time.stalls.end());
  parts.push_back(time.busy);
  std::vector<int64_t> tenths = toTenthsOfPercent(parts);
  out << llvm::left_justify(getName(unit), 9)
      << format("%8.1f %8.1f  ", double(tenths.back()) / 10,
                percent(double(time.useful) / double(time.getTotal())));
  llvm::SmallVector<unsigned> causes;
  int64_t other = 0;
  for (unsigned stall = 0; stall < numStalls; ++stall) {
    if (tenths[stall] >= 10)
      causes.push_back(stall);
    else
      other += tenths[stall];
  }
  llvm::sort(causes, [&](unsigned lhs, unsigned rhs) {
    return std::pair(-tenths[lhs], lhs) < std::pair(-tenths[rhs], rhs);
  });
  const char *separator = "";
  for (unsigned cause : causes) {
    out << separator << getName(Stall(cause))
        << format(" %.1f", double(tenths[cause]) / 10);
    separator = ", ";
  }
  if (other > 0)
    out << separator << format("other %.1f", double(other) / 10);
  out << "\n";
}

static void writeUnits(const Result &result, llvm::raw_ostream &out) {
  out << "\nunit       busy % useful %  idle %, for\n";
  for (unsigned unit = 0; unit < numUnits; ++unit) {
    UnitTime time = addUnits(result, Unit(unit));
    if (time.numOps > 0)
      writeUnit(time, Unit(unit), out);
  }
  out << "\n";
}

static void writeMemory(const ReportedRun &run, llvm::raw_ostream &out) {
  const Machine &machine = run.machine;
  const DramCounters &dram = run.result.dram;
  out << "dram       " << formatBytes(dram.bytesRead) << " read, "
      << formatBytes(dram.bytesWritten) << " written, "
      << formatBytes(dram.partialLineBytes) << " of partial lines";
  if (machine.dramLevel != DramLevel::Roofline)
    out << format("; busiest channel %.2f of the mean",
                  summarise(machine, run.result).channelImbalance);
  out << "\n";
  if (machine.dramLevel == DramLevel::Bank)
    out << format("rows       %lld hits, %lld misses, %lld conflicts, %lld "
                  "refreshes\n",
                  (long long)dram.rowHits, (long long)dram.rowMisses,
                  (long long)dram.rowConflicts, (long long)dram.refreshes);
  const CacheCounters &cache = run.result.cache;
  if (machine.l2Bytes > 0)
    out << "cache      " << formatBytes(cache.hitBytes) << " hit, "
        << formatBytes(cache.missBytes) << " missed, "
        << formatBytes(cache.writtenBackBytes) << " written back\n";
  size_t width = 9;
  for (const TensorTraffic &tensor : run.result.tensors)
    width = std::max(width, tensor.name.size() + 1);
  for (const TensorTraffic &tensor : run.result.tensors) {
    if (!tensor.isMoved())
      continue;
    out << "  " << llvm::left_justify(tensor.name, width)
        << llvm::right_justify(formatBytes(tensor.bytesLoaded), 10)
        << " loaded "
        << llvm::right_justify(formatBytes(tensor.bytesStored), 10)
        << " stored\n";
  }
  int64_t highWater = 0;
  for (const CoreResult &core : run.result.cores)
    highWater = std::max(highWater, core.scratchpadHighWater);
  out << "held       " << formatBytes(highWater)
      << " in the memories of one core, at most\n";
}

static void writeEnergy(const ReportedRun &run, llvm::raw_ostream &out) {
  const Energy &energy = run.result.energy;
  double total = energy.getTotal();
  if (total <= 0)
    return;
  out << "energy     " << formatRate(1e3 * total) << " mJ";
  const char *separator = ": ";
  for (auto [name, part] :
       {std::pair("macs", energy.macs), std::pair("vector", energy.vector),
        std::pair("scratchpad", energy.scratchpad),
        std::pair("noc", energy.noc), std::pair("cache", energy.l2),
        std::pair("dram", energy.dram), std::pair("leakage", energy.leakage)}) {
    // What rounds to nothing is left out.
    if (part < 0.0005 * total)
      continue;
    out << separator << name << format(" %.1f %%", percent(part / total));
    separator = ", ";
  }
  out << "\n           (" << run.machine.energyOrigin << ")\n";
}

static void writeTenants(llvm::ArrayRef<TenantResult> tenants,
                         llvm::raw_ostream &out) {
  if (tenants.size() < 2)
    return;
  for (const TenantResult &tenant : tenants) {
    out << "tenant     " << tenant.name
        << format(": cores %lld to %lld, cycles %lld to %lld",
                  (long long)tenant.firstCore,
                  (long long)(tenant.firstCore + tenant.numCores - 1),
                  (long long)toCycles(tenant.start),
                  (long long)toCycles(tenant.end));
    if (tenant.alone > 0)
      out << format("; alone %lld, so %.2f times as long",
                    (long long)toCycles(tenant.alone),
                    double(tenant.end - tenant.start) / double(tenant.alone));
    out << "\n";
  }
}

void sim::writeText(const ReportedRun &run, llvm::raw_ostream &out) {
  writeHead(run, out);
  writeUnits(run.result, out);
  writeMemory(run, out);
  writeEnergy(run, out);
  writeChips(run, out);
  if (run.result.chips.empty())
    writeTenants(run.result.tenants, out);
  for (const std::string &note : run.notes)
    out << "note       " << note << "\n";
}
