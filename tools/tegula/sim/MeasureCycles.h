// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What calls take on a machine that is simulated.

#ifndef TEGULA_TOOLS_MEASURECYCLES_H
#define TEGULA_TOOLS_MEASURECYCLES_H

#include "tegula/runtime/Compiler.h"
#include "tegula/sim/report/Summary.h"
#include "tools/tegula/sim/Workload.h"

namespace tegula {

/// The arguments of a call that is simulated: memory is there only if files are
/// given or what is done depends on data.
[[nodiscard]] Expected<Workload>
makeSimulatedWorkload(const Kernel &kernel, const WorkloadRequest &request);

/// What the call takes on `machine`, which the kernel is compiled for.
[[nodiscard]] Expected<sim::Summary> simulateCall(const Kernel &kernel,
                                                  const Workload &workload,
                                                  const sim::Machine &machine);

} // namespace tegula

#endif // TEGULA_TOOLS_MEASURECYCLES_H
