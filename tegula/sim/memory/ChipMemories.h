// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memories of chips that are connected, and the links between them. A
/// machine without ranks is one chip.

#ifndef TEGULA_SIM_MEMORY_CHIPMEMORIES_H
#define TEGULA_SIM_MEMORY_CHIPMEMORIES_H

#include "tegula/sim/memory/Links.h"
#include "tegula/sim/memory/MemorySystem.h"

namespace tegula::sim {

/// See the file comment. Cores are counted through all chips.
class ChipMemories {
public:
  ChipMemories(const Machine &machine, int64_t numChips);

  /// Moves `window` between `core` and the memory of `chip`; returns when all
  /// of it has arrived. Requests come in the order of their times.
  Time serve(int64_t core, int64_t chip, const MemoryWindow &window, Time time,
             bool isWrite);

  int64_t getNumChips() const { return int64_t(memories.size()); }
  int64_t getChipOf(int64_t core) const { return core / coresPerChip; }
  const Links &getLinks() const { return links; }
  Links &getLinks() { return links; }
  const MemorySystem &getMemory(int64_t chip) const { return memories[chip]; }

private:
  int64_t coresPerChip;
  std::vector<MemorySystem> memories;
  Links links;
};

/// What all chips' memories did, channels and ports one chip's after another's.
DramCounters addDramCounters(const ChipMemories &memories);
NocCounters addNocCounters(const ChipMemories &memories);
CacheCounters addCacheCounters(const ChipMemories &memories);

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_CHIPMEMORIES_H
