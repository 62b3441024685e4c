// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs a kernel on a simulated machine at one size or at many, prints what was
/// found and writes the files that are asked for.

#ifndef TEGULA_TOOLS_SIMRUN_H
#define TEGULA_TOOLS_SIMRUN_H

#include "tegula/runtime/simulation/SimulatedKernel.h"
#include "tools/tegula/sim/SimRequest.h"

namespace tegula {

/// Runs `kernel` once, at `extents`; returns the exit code.
[[nodiscard]] Expected<int> simulateOne(SimulatedKernel &kernel,
                                        const SimRequest &request,
                                        llvm::ArrayRef<int64_t> extents);

/// Runs it at every combination of `extents`, which are by symbol. Ctrl-C ends
/// it after the size that is being simulated; what is done is written.
[[nodiscard]] Expected<int>
simulateSweep(SimulatedKernel &kernel, const SimRequest &request,
              llvm::ArrayRef<std::vector<int64_t>> extents);

} // namespace tegula

#endif // TEGULA_TOOLS_SIMRUN_H
