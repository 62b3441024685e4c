// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteSweepTable.h"

#include "tegula/sim/report/FormatNumbers.h"
#include "llvm/Support/Format.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;
using llvm::right_justify;

void sim::writeSweepHead(const Sweep &sweep, llvm::raw_ostream &out) {
  out << sweep.kernel << (sweep.fixed.empty() ? "" : " ") << sweep.fixed
      << " on " << sweep.machine;
  if (!sweep.whatIf.empty())
    out << ", changed: " << sweep.whatIf;
  out << "\n\n";
  for (size_t index : sweep.swept)
    out << right_justify(sweep.symbols[index], 8);
  out << "        cycles         time   TFLOP/s  of peak      GB/s  of peak  "
         "bound by";
  if (!sweep.whatIf.empty())
    out << "   changed cycles   ratio";
  out << "\n";
}

void sim::writeSweepLine(const Sweep &sweep, const SweepPoint &point,
                         llvm::raw_ostream &out) {
  const Summary &summary = point.summary;
  for (size_t index : sweep.swept)
    out << right_justify(std::to_string(point.extents[index]), 8);
  out << format("%14lld", (long long)summary.cycles)
      << right_justify(formatMicroseconds(summary.microseconds), 13)
      << right_justify(formatRate(summary.teraflops), 10)
      << format("%7.1f %%", 100 * summary.computeShare)
      << right_justify(formatRate(summary.gigabytesPerSecond), 10)
      << format("%7.1f %%", 100 * summary.bandwidthShare) << "  ";
  llvm::StringRef bound = getName(summary.bound);
  if (!point.changed) {
    out << bound << "\n";
    return;
  }
  out << llvm::left_justify(bound, 8)
      << format("%17lld  x%.3f\n", (long long)point.changed->cycles,
                double(point.changed->cycles) / double(summary.cycles));
}
