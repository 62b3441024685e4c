// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether one kernel is faster than another, on a machine that others use as
/// well.

#ifndef TEGULA_TOOLS_COMPAREKERNELS_H
#define TEGULA_TOOLS_COMPAREKERNELS_H

#include "tegula/runtime/Compiler.h"
#include "tools/tegula/sim/Workload.h"

namespace tegula {

/// Two kernels on the same data, in rounds in which each of them is timed.
struct KernelComparison {
  /// Seconds of a call: medians of the rounds.
  double before = 0, after = 0;
  /// The median of the ratios of the rounds.
  double ratio = 1;
  unsigned wins = 0, rounds = 0;

  /// True if the second saves enough, and in nearly all rounds: if both were
  /// equally fast, one comparison in 500 would say so.
  bool isFaster() const;
};

/// Times both, in alternating order, for about `budget` seconds; less if the
/// second has lost before.
[[nodiscard]] Expected<KernelComparison>
compareKernels(const Kernel &before, const Kernel &after,
               const Workload &workload, double budget);

} // namespace tegula

#endif // TEGULA_TOOLS_COMPAREKERNELS_H
