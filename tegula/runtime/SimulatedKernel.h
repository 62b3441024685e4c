// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that run on a simulated NPU.

#ifndef TEGULA_RUNTIME_SIMULATEDKERNEL_H
#define TEGULA_RUNTIME_SIMULATEDKERNEL_H

#include "tegula/sim/engine/Simulate.h"
#include <memory>
#include <string>
#include <vector>

namespace tegula {

/// A kernel compiled for an NPU. One compilation serves every size.
class SimulatedKernel {
public:
  virtual ~SimulatedKernel();
  virtual llvm::StringRef getName() const = 0;
  /// The symbols whose extents a size gives, in order of first use: M, N, K.
  virtual llvm::ArrayRef<std::string> getSymbols() const = 0;
  virtual const sim::Machine &getMachine() const = 0;
  /// Runs it at these extents (in the order of the symbols), on `machine`,
  /// which is getMachine() or one changed by a what-if.
  virtual Expected<sim::Result>
  simulate(llvm::ArrayRef<int64_t> extents, const sim::Machine &machine,
           const sim::SimulateOptions &options) = 0;
  /// What was not modelled and what was estimated, one line each.
  virtual std::vector<std::string> getNotes() const = 0;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_SIMULATEDKERNEL_H
