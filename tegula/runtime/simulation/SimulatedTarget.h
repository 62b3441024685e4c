// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which targets are simulated machines. What a call does there is in Kernel
/// (`trace`) and in SimulatedKernel.h.

#ifndef TEGULA_RUNTIME_SIMULATION_SIMULATEDTARGET_H
#define TEGULA_RUNTIME_SIMULATION_SIMULATEDTARGET_H

#include "tegula/runtime/Compiler.h"
#include "tegula/sim/machine/Machine.h"
#include "tegula/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tegula {

/// The machine that kernels for a target run on, if it is simulated. Fails if
/// there is no such target.
[[nodiscard]] Expected<std::optional<sim::Machine>>
findSimulatedMachine(llvm::StringRef target);
/// The same of kernels of a source.
[[nodiscard]] Expected<std::optional<sim::Machine>>
findSimulatedMachine(const KernelSource &source);

/// The text of the target that simulates a machine of that name or file.
std::string nameSimulatedTarget(llvm::StringRef machine);

} // namespace tegula

#endif // TEGULA_RUNTIME_SIMULATION_SIMULATEDTARGET_H
