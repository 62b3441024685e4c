// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A kernel of a file on a simulated machine: from its source, or from the
/// files of a producer.

#ifndef TEGULA_TOOLS_COMPILEDSIMULATION_H
#define TEGULA_TOOLS_COMPILEDSIMULATION_H

#include "tegula/runtime/Compiler.h"
#include "tegula/runtime/simulation/Producer.h"
#include "tegula/runtime/simulation/SimulatedKernel.h"
#include "tools/tegula/sim/Workload.h"

namespace tegula {

/// Compiles the kernel that `source` names for its target. The request has all
/// that a call needs besides sizes.
[[nodiscard]] Expected<std::unique_ptr<SimulatedKernel>>
loadSimulatedKernel(const KernelSource &source, const WorkloadRequest &request);

/// The same for a producer that was read.
std::unique_ptr<SimulatedKernel>
makeSimulatedKernel(Producer producer, const WorkloadRequest &request);

} // namespace tegula

#endif // TEGULA_TOOLS_COMPILEDSIMULATION_H
