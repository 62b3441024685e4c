// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A run as one HTML file that needs nothing else: summary, timeline to zoom
/// into, roofline, stalls, traffic, scratchpads over time, and the curve of a
/// sweep over sizes.

#ifndef TEGULA_SIM_REPORT_WRITEHTML_H
#define TEGULA_SIM_REPORT_WRITEHTML_H

#include "tegula/sim/engine/Result.h"
#include "tegula/sim/report/TimelineRecorder.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// One size of a sweep.
struct SweepPoint {
  int64_t extent;
  int64_t cycles;
  double computeShare;
};

/// Writes the report; without `sweep` it has no curve.
void writeHtml(const Machine &machine, const Result &result,
               const TimelineRecorder &timeline,
               llvm::ArrayRef<SweepPoint> sweep, llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITEHTML_H
