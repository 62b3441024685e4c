// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs kernels on a machine and says how long they take, where the time of
/// every unit went and what was moved. The same input gives the same result,
/// to the tick. Memory does not grow with the number of operations.

#ifndef TEGULA_SIM_ENGINE_SIMULATE_H
#define TEGULA_SIM_ENGINE_SIMULATE_H

#include "tegula/sim/engine/Result.h"
#include "tegula/support/Error.h"
#include "tegula/support/TraceAbi.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula::sim {

class Observer;

/// Kernels that run one after the other on a part of the machine.
struct Tenant {
  std::string name;
  std::vector<const TegulaTraceKernel *> kernels;
  int64_t firstCore = 0;
  /// 0: all from the first on.
  int64_t numCores = 0;
  Time start = 0;
  /// Chips are alike, and are there as far as tenants name them. Cores are
  /// counted in each; the kernels of a chip are what its rank does.
  int64_t chip = 0;
};

/// How a run is done.
struct SimulateOptions {
  /// Sees every operation; null for nobody.
  Observer *observer = nullptr;
  /// If positive: of a phase with more than twice as many work items, so many
  /// are simulated, and the rest are taken to go on alike.
  int64_t extrapolateAfter = 0;
};

/// Runs `tenants`, which share memory and no core. A kernel that asks for what
/// the machine does not have is an error.
[[nodiscard]] Expected<Result> simulate(const Machine &machine,
                                        llvm::ArrayRef<Tenant> tenants,
                                        const SimulateOptions &options = {});

/// Runs one kernel for each rank, on all of a chip of its own. The kernels are
/// of one program: they wait for each other, and reach each other's memory.
[[nodiscard]] Expected<Result>
simulateRanks(const Machine &machine,
              llvm::ArrayRef<const TegulaTraceKernel *> kernels,
              const SimulateOptions &options = {});

/// Runs one kernel on all of the machine.
[[nodiscard]] Expected<Result> simulate(const Machine &machine,
                                        const TegulaTraceKernel &kernel,
                                        const SimulateOptions &options = {});

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_SIMULATE_H
