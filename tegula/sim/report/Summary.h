// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a run comes to: the numbers every report shows, computed once.

#ifndef TEGULA_SIM_REPORT_SUMMARY_H
#define TEGULA_SIM_REPORT_SUMMARY_H

#include "tegula/sim/cost/LowerBounds.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula::sim {

/// Derived numbers of a run on a machine.
struct Summary {
  int64_t cycles = 0;
  double microseconds = 0;
  double teraflops = 0;
  /// What the arrays, or vector units without them, can do.
  double peakTeraflops = 0;
  double computeShare = 0;
  double gigabytesPerSecond = 0;
  double peakGigabytesPerSecond = 0;
  double bandwidthShare = 0;
  /// Floating-point operations per byte of DRAM.
  double intensity = 0;
  /// The largest lower bound and the share of the time it explains.
  Bound bound = Bound::Arrays;
  double boundShare = 0;
  /// Largest over mean of the bytes per channel; 1 is even.
  double channelImbalance = 1;
  double millijoules = 0;
  /// Of the time of each unit of all cores, by Unit.
  std::array<double, numUnits> busyShares{};
  std::array<double, numUnits> usefulShares{};
};

Summary summarise(const Machine &machine, const Result &result);

/// Of all cores together, the time of one unit.
UnitTime addUnits(const Result &result, Unit unit);

/// `parts` as percentages with one digit, in tenths: they add up to 1000 as
/// printed, whatever is lost in rounding goes to those that lose most by it.
/// All are 0 if there is nothing.
std::vector<int64_t> toTenthsOfPercent(llvm::ArrayRef<Time> parts);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_SUMMARY_H
