// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An axis of a drawing: where numbers lie on it, and which are written.

#ifndef TEGULA_SIM_REPORT_AXIS_H
#define TEGULA_SIM_REPORT_AXIS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace tegula::sim {

/// How far apart numbers are drawn.
enum class AxisScale { Linear, Logarithmic };

/// Numbers from `least` to `most`, drawn from `begin` to `end`.
struct Axis {
  double begin;
  double end;
  AxisScale scale = AxisScale::Linear;
  double least = 0;
  double most = 1;

  /// An axis that all of `numbers`, which are positive, lie on: logarithmic if
  /// the largest is eight times the least or more and most are near the least.
  static Axis around(llvm::ArrayRef<double> numbers, double begin, double end);

  double toPixels(double number) const;
  /// Round numbers to write, about `count` of them; with `inPowersOfTwo`
  /// powers of two, or multiples of one.
  std::vector<double> getTicks(int count, bool inPowersOfTwo) const;
};

/// "1500", "20k", "1.5M": for the numbers along an axis.
std::string formatTick(double number);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_AXIS_H
