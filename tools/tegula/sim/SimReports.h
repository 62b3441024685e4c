// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One size on the machine as it is and as a what-if changes it, and the files
/// that are made of that.

#ifndef TEGULA_TOOLS_SIMREPORTS_H
#define TEGULA_TOOLS_SIMREPORTS_H

#include "tegula/runtime/simulation/SimulatedKernel.h"
#include "tegula/sim/report/OpLog.h"
#include "tegula/sim/report/ReportedRun.h"
#include "tegula/sim/sweep/Sweep.h"
#include "tools/tegula/sim/SimRequest.h"

namespace tegula {

/// The most operations of a timeline.
constexpr size_t maxLoggedOps = 200000;

/// Both runs of one size.
struct SimPair {
  sim::ReportedRun run;
  /// After the what-if, if there is one.
  std::optional<sim::ReportedRun> changed;

  sim::SweepPoint getPoint() const;
};

/// Simulates `kernel` at `extents`; `log` sees the first run, or is null.
[[nodiscard]] Expected<SimPair> simulatePair(SimulatedKernel &kernel,
                                             const SimRequest &request,
                                             llvm::ArrayRef<int64_t> extents,
                                             sim::OpLog *log);

/// A sweep over `symbols` without points yet.
sim::Sweep makeSweep(const SimulatedKernel &kernel, const SimRequest &request,
                     llvm::ArrayRef<size_t> swept,
                     llvm::ArrayRef<int64_t> firstExtents);

/// Writes the files of `request`. Without `last`, the run that was logged,
/// there is no timeline and no page.
[[nodiscard]] Error writeReports(const SimRequest &request,
                                 const sim::Sweep &sweep, const SimPair *last,
                                 const sim::OpLog &log);

} // namespace tegula

#endif // TEGULA_TOOLS_SIMREPORTS_H
