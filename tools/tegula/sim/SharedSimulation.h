// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel on a part of a simulated machine, while other tenants use the rest.

#ifndef TEGULA_TOOLS_SHAREDSIMULATION_H
#define TEGULA_TOOLS_SHAREDSIMULATION_H

#include "tegula/runtime/simulation/SimulatedKernel.h"

namespace tegula {

/// A kernel at a size.
struct SizedKernel {
  std::shared_ptr<SimulatedKernel> kernel;
  std::vector<int64_t> extents;
};

/// What runs on a part of the machine.
struct SimTenant {
  /// One after the other.
  std::vector<SizedKernel> kernels;
  /// 0: as many as are left, shared by all that say so.
  int64_t numCores = 0;
  /// In cycles.
  int64_t start = 0;
};

/// All of them as one kernel: its sizes are those of `varied`, whose kernel has
/// none yet, or there are none if that is null.
std::unique_ptr<SimulatedKernel>
makeSharedSimulation(std::shared_ptr<SimulatedKernel> varied,
                     int64_t coresOfVaried, std::vector<SimTenant> others);

} // namespace tegula

#endif // TEGULA_TOOLS_SHAREDSIMULATION_H
