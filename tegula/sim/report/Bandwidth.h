// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How fast bytes were moved, over time.

#ifndef TEGULA_SIM_REPORT_BANDWIDTH_H
#define TEGULA_SIM_REPORT_BANDWIDTH_H

#include "tegula/sim/report/OpLog.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula::sim {

/// GB/s in spans of one length.
struct Bandwidth {
  Time span;
  std::vector<double> gigabytesPerSecond;
};

/// What `unit`, a DMA engine, of `core` moved from the start to `end`, in about
/// `numSpans` spans. A transfer moves alike from its start, or the end of the
/// one before it, to its end.
Bandwidth getBandwidth(llvm::ArrayRef<LoggedOp> ops, const Machine &machine,
                       int32_t core, Unit unit, Time end, int64_t numSpans);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_BANDWIDTH_H
