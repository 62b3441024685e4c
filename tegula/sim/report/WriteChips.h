// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each of several chips did, and what went between them. Nothing is
/// written of a run on one.

#ifndef TEGULA_SIM_REPORT_WRITECHIPS_H
#define TEGULA_SIM_REPORT_WRITECHIPS_H

#include "tegula/sim/report/ReportedRun.h"
#include "llvm/Support/JSON.h"

namespace tegula::sim {

/// For readers: a line per chip, the busiest links, and bytes per pair of few.
void writeChips(const ReportedRun &run, llvm::raw_ostream &out);

/// All of it, into the object that is open.
void writeChips(const Result &result, llvm::json::OStream &json);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITECHIPS_H
