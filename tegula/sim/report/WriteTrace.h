// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A timeline for Perfetto or chrome://tracing: a track per core and unit,
/// arrows from what an operation waited for last, and counters of bandwidth and
/// of bytes held.

#ifndef TEGULA_SIM_REPORT_WRITETRACE_H
#define TEGULA_SIM_REPORT_WRITETRACE_H

#include "tegula/sim/report/OpLog.h"
#include "tegula/sim/report/ReportedRun.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Writes what `log` kept of `run`. A cycle is a microsecond there.
void writeTrace(const ReportedRun &run, const OpLog &log,
                llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITETRACE_H
