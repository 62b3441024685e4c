// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A sweep as a table, a line per size, each as soon as it is known.

#ifndef TEGULA_SIM_REPORT_WRITESWEEPTABLE_H
#define TEGULA_SIM_REPORT_WRITESWEEPTABLE_H

#include "tegula/sim/sweep/Sweep.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// What is above the lines of `sweep`, whose points may still be missing.
void writeSweepHead(const Sweep &sweep, llvm::raw_ostream &out);

/// The line of one point.
void writeSweepLine(const Sweep &sweep, const SweepPoint &point,
                    llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITESWEEPTABLE_H
