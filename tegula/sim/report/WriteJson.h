// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs as JSON: every number, under a version, the same bytes for the same
/// runs.

#ifndef TEGULA_SIM_REPORT_WRITEJSON_H
#define TEGULA_SIM_REPORT_WRITEJSON_H

#include "tegula/sim/report/ReportedRun.h"
#include "tegula/sim/sweep/Sweep.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Changes when the meaning of a key does, or one goes.
constexpr int jsonVersion = 2;

/// Writes the kernel, the machine, the summary and all counters. Times are in
/// cycles. `changed` is the same run after a what-if, or null.
void writeJson(const ReportedRun &run, const ReportedRun *changed,
               llvm::StringRef whatIf, llvm::raw_ostream &out);

/// Writes the summaries of a sweep. `machine` and `changed` are those it ran
/// on.
void writeJson(const Sweep &sweep, llvm::ArrayRef<std::string> notes,
               const Machine &machine, const Machine *changed,
               llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITEJSON_H
