// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run as one HTML file that needs nothing else: summary, timeline to zoom
/// into, roofline, stalls, traffic, memories of a core over time, and the curve
/// of a sweep over sizes.

#ifndef TEGULA_SIM_REPORT_WRITEHTML_H
#define TEGULA_SIM_REPORT_WRITEHTML_H

#include "tegula/sim/report/OpLog.h"
#include "tegula/sim/report/ReportedRun.h"
#include "tegula/sim/sweep/Sweep.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// The most operations that a page draws.
constexpr size_t maxHtmlOps = 20000;

/// Writes the report; `sweep` is null if there is none.
void writeHtml(const ReportedRun &run, const OpLog &log, const Sweep *sweep,
               llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITEHTML_H
