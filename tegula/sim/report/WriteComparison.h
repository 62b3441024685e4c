// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run before and after a what-if, side by side.

#ifndef TEGULA_SIM_REPORT_WRITECOMPARISON_H
#define TEGULA_SIM_REPORT_WRITECOMPARISON_H

#include "tegula/sim/report/ReportedRun.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Writes both and, where it means something, the second over the first.
void writeComparison(const ReportedRun &run, const ReportedRun &changed,
                     llvm::StringRef whatIf, llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITECOMPARISON_H
