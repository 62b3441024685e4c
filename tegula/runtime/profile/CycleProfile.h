// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the cycles of a kernel go on a simulated NPU, as Profile.h has it for
/// time.

#ifndef TEGULA_RUNTIME_PROFILE_CYCLEPROFILE_H
#define TEGULA_RUNTIME_PROFILE_CYCLEPROFILE_H

#include "tegula/runtime/Compiler.h"
#include "tegula/sim/engine/Result.h"
#include "tegula/sim/machine/Machine.h"
#include "tegula/sim/report/LineCycles.h"

namespace tegula {

/// What was found.
struct CycleProfile {
  sim::Result result;
  sim::LineCycles lines;
};

/// Simulates a call with these arguments. Where operations depend on data the
/// kernel runs, and writes to their memory.
[[nodiscard]] Expected<CycleProfile>
profileCycles(const KernelSource &source, llvm::ArrayRef<Argument> arguments,
              const sim::Machine &machine);

/// What bounds the run, then a line for each line of the source: its share, and
/// the cycles of the units that worked for it, of all cores together.
std::string formatCycles(const CycleProfile &profile,
                         const sim::Machine &machine, llvm::StringRef text);

} // namespace tegula

#endif // TEGULA_RUNTIME_PROFILE_CYCLEPROFILE_H
