// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which way to cut a kernel takes least time in a call.

#ifndef TEGULA_BACKENDS_NPU_TILINGCHOICE_H
#define TEGULA_BACKENDS_NPU_TILINGCHOICE_H

#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/Machine.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <mutex>

namespace tegula {

/// Choices, each made once for equal sizes. May be asked by several threads.
class TilingChoice {
public:
  /// The cycles that the tiling of that number takes on a machine.
  using Estimate =
      llvm::function_ref<int64_t(int64_t tiling, const sim::Machine &machine,
                                 const sim::SimulateOptions &options)>;

  TilingChoice(sim::Machine machine, int64_t numTilings)
      : machine(std::move(machine)), numTilings(numTilings) {}

  /// The number of the tiling for calls of these sizes.
  int64_t choose(std::vector<int64_t> sizes, Estimate estimate);

  const sim::Machine &getMachine() const { return machine; }

private:
  int64_t simulateFew(Estimate estimate) const;

  sim::Machine machine;
  int64_t numTilings;
  std::mutex turn;
  std::map<std::vector<int64_t>, int64_t> chosen;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TILINGCHOICE_H
