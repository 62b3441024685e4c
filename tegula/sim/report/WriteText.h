// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run on one screen.

#ifndef TEGULA_SIM_REPORT_WRITETEXT_H
#define TEGULA_SIM_REPORT_WRITETEXT_H

#include "tegula/sim/report/ReportedRun.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Writes time, rates, what bounds the run, where the time of each unit went
/// (busy and causes of a line add up to 100.0 %), traffic and energy.
void writeText(const ReportedRun &run, llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITETEXT_H
