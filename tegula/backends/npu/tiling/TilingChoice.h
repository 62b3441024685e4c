// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which way to cut a kernel takes least time in a call.

#ifndef TEGULA_BACKENDS_NPU_TILING_TILINGCHOICE_H
#define TEGULA_BACKENDS_NPU_TILING_TILINGCHOICE_H

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

  explicit TilingChoice(int64_t numTilings) : numTilings(numTilings) {}

  /// The number of the tiling for calls of these sizes on the machine.
  int64_t choose(const sim::Machine &machine, std::vector<int64_t> sizes,
                 Estimate estimate);

private:
  int64_t simulateFew(const sim::Machine &machine, Estimate estimate) const;

  int64_t numTilings;
  std::mutex mutex;
  /// By machine, as text, and sizes.
  std::map<std::pair<std::string, std::vector<int64_t>>, int64_t> chosen;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TILING_TILINGCHOICE_H
