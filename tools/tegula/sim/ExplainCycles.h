// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `tegula explain --perf` for a machine that is simulated.

#ifndef TEGULA_TOOLS_EXPLAINCYCLES_H
#define TEGULA_TOOLS_EXPLAINCYCLES_H

#include "tegula/runtime/Compiler.h"
#include "tegula/sim/machine/Machine.h"
#include "tools/tegula/CommandLine.h"

namespace tegula {

/// Simulates the kernel at the size that the command line gives, and prints the
/// source with the cycles that units of the machine spend on each line.
[[nodiscard]] Expected<int> explainCycles(const CommandLine &line,
                                          const KernelSource &source,
                                          const sim::Machine &machine);

} // namespace tegula

#endif // TEGULA_TOOLS_EXPLAINCYCLES_H
