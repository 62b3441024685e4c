// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteComparison.h"

#include "tegula/sim/report/FormatNumbers.h"
#include "tegula/sim/report/Summary.h"
#include "llvm/Support/Format.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;
using llvm::StringRef;

namespace {

/// Lines of three columns.
class Columns {
public:
  explicit Columns(llvm::raw_ostream &out) : out(out) {}

  void write(StringRef name, StringRef before, StringRef after,
             StringRef ratio) {
    out << llvm::left_justify(name, 14) << llvm::right_justify(before, 14)
        << llvm::right_justify(after, 14);
    if (!ratio.empty())
      out << llvm::right_justify(ratio, 10);
    out << "\n";
  }
  void writeRatio(StringRef name, StringRef beforeText, StringRef afterText,
                  double before, double after) {
    std::string ratio;
    if (before > 0)
      llvm::raw_string_ostream(ratio) << format("x%.3f", after / before);
    write(name, beforeText, afterText, ratio);
  }
  void writeShare(StringRef name, double before, double after) {
    auto print = [](double share) {
      std::string text;
      llvm::raw_string_ostream(text) << format("%.1f %%", 100 * share);
      return text;
    };
    write(name, print(before), print(after), "");
  }

private:
  llvm::raw_ostream &out;
};

} // namespace

void sim::writeComparison(const ReportedRun &run, const ReportedRun &changed,
                          StringRef whatIf, llvm::raw_ostream &out) {
  Summary before = summarise(run.machine, run.result);
  Summary after = summarise(changed.machine, changed.result);
  out << getTitle(run) << " on " << run.machine.name << ", what if " << whatIf
      << "\n\n";
  Columns columns(out);
  columns.write("", "as it is", "changed", "ratio");
  columns.writeRatio("cycles", std::to_string(before.cycles),
                     std::to_string(after.cycles), double(before.cycles),
                     double(after.cycles));
  columns.writeRatio("time", formatMicroseconds(before.microseconds),
                     formatMicroseconds(after.microseconds),
                     before.microseconds, after.microseconds);
  columns.writeRatio("TFLOP/s", formatRate(before.teraflops),
                     formatRate(after.teraflops), before.teraflops,
                     after.teraflops);
  columns.writeRatio("  peak", formatRate(before.peakTeraflops),
                     formatRate(after.peakTeraflops), before.peakTeraflops,
                     after.peakTeraflops);
  columns.writeShare("  of the peak", before.computeShare, after.computeShare);
  columns.writeRatio("GB/s", formatRate(before.gigabytesPerSecond),
                     formatRate(after.gigabytesPerSecond),
                     before.gigabytesPerSecond, after.gigabytesPerSecond);
  columns.writeRatio("  peak", formatRate(before.peakGigabytesPerSecond),
                     formatRate(after.peakGigabytesPerSecond),
                     before.peakGigabytesPerSecond,
                     after.peakGigabytesPerSecond);
  columns.writeShare("  of the peak", before.bandwidthShare,
                     after.bandwidthShare);
  columns.write("bound by", getName(before.bound), getName(after.bound), "");
  columns.writeShare("  of the time", before.boundShare, after.boundShare);
  for (unsigned unit = 0; unit < numUnits; ++unit)
    if (before.busyShares[unit] > 0 || after.busyShares[unit] > 0)
      columns.writeShare(getName(Unit(unit)).str() + " busy",
                         before.busyShares[unit], after.busyShares[unit]);
  columns.writeRatio("energy, mJ", formatRate(before.millijoules),
                     formatRate(after.millijoules), before.millijoules,
                     after.millijoules);
  for (const std::string &note : run.notes)
    out << "note       " << note << "\n";
}
