// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteCsv.h"

#include "tegula/support/Format.h"

using namespace tegula;
using namespace tegula::sim;

/// The name of a column: words, one underscore between them.
static std::string toColumn(llvm::StringRef name) {
  std::string column = name.str();
  for (char &letter : column)
    if (letter == ' ')
      letter = '_';
  return column;
}

/// A name as one cell, whatever is in it.
static std::string quote(llvm::StringRef name) {
  if (name.find_first_of(",\"\n\r") == llvm::StringRef::npos)
    return name.str();
  std::string cell = "\"";
  for (char letter : name)
    cell += letter == '"' ? "\"\"" : std::string(1, letter);
  return cell + "\"";
}

static void writeHeading(llvm::StringRef prefix, llvm::raw_ostream &out) {
  for (const char *name :
       {"cycles", "microseconds", "teraflops", "compute_share",
        "gigabytes_per_second", "bandwidth_share", "flops_per_byte", "bound",
        "bound_share", "millijoules"})
    out << "," << prefix << name;
  for (unsigned unit = 0; unit < numUnits; ++unit)
    for (const char *kind : {"_busy", "_useful"})
      out << "," << prefix << toColumn(getName(Unit(unit))) << kind;
}

static void writeSummary(const Summary &summary, llvm::raw_ostream &out) {
  out << "," << summary.cycles;
  for (double number :
       {summary.microseconds, summary.teraflops, summary.computeShare,
        summary.gigabytesPerSecond, summary.bandwidthShare, summary.intensity})
    out << "," << formatNumber(number);
  out << "," << getName(summary.bound) << ","
      << formatNumber(summary.boundShare) << ","
      << formatNumber(summary.millijoules);
  for (unsigned unit = 0; unit < numUnits; ++unit)
    out << "," << formatNumber(summary.busyShares[unit]) << ","
        << formatNumber(summary.usefulShares[unit]);
}

void sim::writeCsv(const Sweep &sweep, llvm::raw_ostream &out) {
  out << "kernel,machine";
  for (const std::string &symbol : sweep.symbols)
    out << "," << symbol;
  writeHeading("", out);
  if (!sweep.whatIf.empty()) {
    writeHeading("changed_", out);
    out << ",ratio";
  }
  out << "\n";
  for (const SweepPoint &point : sweep.points) {
    out << quote(sweep.kernel) << "," << quote(sweep.machine);
    for (int64_t extent : point.extents)
      out << "," << extent;
    writeSummary(point.summary, out);
    if (point.changed) {
      writeSummary(*point.changed, out);
      out << ","
          << formatNumber(double(point.changed->cycles) /
                          double(point.summary.cycles));
    }
    out << "\n";
  }
}
