// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All that lies between the DMA engines of the cores and the bytes they ask
/// for: the shared cache if there is one, DRAM, and the NoC.

#ifndef TEGULA_SIM_MEMORY_MEMORYSYSTEM_H
#define TEGULA_SIM_MEMORY_MEMORYSYSTEM_H

#include "tegula/sim/memory/Noc.h"
#include "tegula/sim/memory/SharedCache.h"
#include <optional>

namespace tegula::sim {

/// The memory of a machine in use.
class MemorySystem {
public:
  explicit MemorySystem(const Machine &machine);

  /// Moves `window` between memory and `core`; returns when all of it has
  /// arrived. Requests come in the order of their times.
  Time serve(int64_t core, const MemoryWindow &window, Time time, bool isWrite);

  /// The two halves of that, for what comes from another chip or goes there:
  /// memory alone, and the way between the links, which end where the first
  /// channel does, and `core`.
  Time access(const MemoryWindow &window, Time time, bool isWrite);
  Time carry(int64_t core, int64_t bytes, Time time, Time ready);

  const DramCounters &getDramCounters() const { return dram->getCounters(); }
  const NocCounters &getNocCounters() const { return noc.getCounters(); }
  CacheCounters getCacheCounters() const {
    return cache ? cache->getCounters() : CacheCounters();
  }

private:
  std::unique_ptr<Dram> dram;
  std::optional<SharedCache> cache;
  Noc noc;
  std::vector<ChannelShare> shares;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_MEMORYSYSTEM_H
