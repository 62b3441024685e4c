// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that run on a simulated NPU.

#ifndef TEGULA_RUNTIME_SIMULATION_SIMULATEDKERNEL_H
#define TEGULA_RUNTIME_SIMULATION_SIMULATEDKERNEL_H

#include "tegula/launch/call/KernelWarning.h"
#include "tegula/sim/engine/Simulate.h"
#include <memory>
#include <string>
#include <vector>

namespace tegula {

/// What a kernel does at one size. It can be simulated once.
class SimulatedCall {
public:
  virtual ~SimulatedCall();
  /// They run one after the other.
  virtual std::vector<const TegulaTraceKernel *> getKernels() const = 0;
  /// What was wrong with the call, once all of it was told.
  virtual Error getProblem() const = 0;
};

/// A kernel for an NPU. One compilation serves every size.
class SimulatedKernel {
public:
  virtual ~SimulatedKernel();
  virtual llvm::StringRef getName() const = 0;
  /// The symbols whose extents a size gives, in order of first use: M, N, K.
  virtual llvm::ArrayRef<std::string> getSymbols() const = 0;
  /// What it does at these extents (in the order of the symbols), with what can
  /// be chosen chosen for `machine`.
  [[nodiscard]] virtual Expected<std::unique_ptr<SimulatedCall>>
  call(llvm::ArrayRef<int64_t> extents, const sim::Machine &machine) = 0;
  /// Runs it at these extents on all of `machine`.
  [[nodiscard]] virtual Expected<sim::Result>
  simulate(llvm::ArrayRef<int64_t> extents, const sim::Machine &machine,
           const sim::SimulateOptions &options);
  /// What was not modelled and what was estimated, one line each.
  virtual std::vector<std::string> getNotes() const = 0;
  /// What the compiler thinks may not have been meant, as far as it was asked.
  virtual std::vector<KernelWarning> getWarnings() const { return {}; }
};

} // namespace tegula

#endif // TEGULA_RUNTIME_SIMULATION_SIMULATEDKERNEL_H
