// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Timing of calls.

#ifndef TEGULA_TOOLS_MEASURE_H
#define TEGULA_TOOLS_MEASURE_H

#include "tegula/runtime/Compiler.h"
#include "tools/tegula/sim/Workload.h"
#include <chrono>

namespace tegula {

/// Measures wall-clock time from its creation.
class Stopwatch {
public:
  double getSeconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

/// The median of `times`, which must not be empty.
double getMedian(std::vector<double> times);

/// Calls the kernel on the workload, then `repeat` - 1 times on a copy of its
/// tensors, so that the outputs are those of one call. Returns the median.
[[nodiscard]] Expected<double>
measureCalls(const Kernel &kernel, const Workload &workload, uint64_t repeat);

/// The median of warm calls within about `budget` seconds; at least three. On a
/// GPU the tensors are in its memory; `target` is what the kernel is compiled
/// for, empty for the default.
[[nodiscard]] Expected<double> measureWarm(const Kernel &kernel,
                                           const Workload &workload,
                                           double budget,
                                           llvm::StringRef target = "");

} // namespace tegula

#endif // TEGULA_TOOLS_MEASURE_H
