// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/tiling/TilingChoice.h"

#include "tegula/sim/machine/MachineFile.h"

using namespace tegula;

int64_t TilingChoice::choose(const sim::Machine &machine,
                             std::vector<int64_t> sizes, Estimate estimate) {
  if (numTilings < 2)
    return 0;
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isNew] = chosen.try_emplace(
      std::pair(sim::printMachine(machine), std::move(sizes)), 0);
  if (isNew)
    entry->second = simulateFew(machine, estimate);
  return entry->second;
}

/// A memory that only counts bytes ranks them all; the first few are simulated
/// as they would run. Long calls are cut short for it.
int64_t TilingChoice::simulateFew(const sim::Machine &machine,
                                  Estimate estimate) const {
  constexpr size_t mostSimulated = 4;
  constexpr int64_t mostItems = 64;
  sim::SimulateOptions options;
  options.extrapolateAfter = mostItems;
  sim::Machine simple = machine;
  simple.dramLevel = sim::DramLevel::Roofline;
  std::vector<std::pair<int64_t, int64_t>> ranked;
  for (int64_t tiling = 0; tiling < numTilings; ++tiling)
    ranked.push_back({estimate(tiling, simple, options), tiling});
  llvm::sort(ranked);
  ranked.resize(std::min(ranked.size(), mostSimulated));
  for (auto &[cycles, tiling] : ranked)
    cycles = estimate(tiling, machine, options);
  return llvm::min_element(ranked)->second;
}
