// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/ChipMemories.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::sim;

ChipMemories::ChipMemories(const Machine &machine, int64_t numChips)
    : coresPerChip(machine.cores), links(machine, numChips) {
  memories.reserve(numChips);
  for (int64_t chip = 0; chip < numChips; ++chip)
    memories.emplace_back(machine);
}

/// Bytes pass the other chip's memory, the links and the core's port one after
/// the other, but not each of them in whole: the slowest decides. What is read
/// has to be asked for first.
Time ChipMemories::serve(int64_t core, int64_t chip, const MemoryWindow &window,
                         Time time, bool isWrite) {
  int64_t own = getChipOf(core), onChip = core % coresPerChip;
  if (chip == own)
    return memories[own].serve(onChip, window, time, isWrite);
  int64_t bytes = window.getBytes();
  Time latency = links.getLatency(own, chip);
  Time asked = isWrite ? 0 : links.getLatency(own, chip);
  Time ready = memories[chip].access(window, time, isWrite) + latency;
  Time carried = isWrite ? links.carry(own, chip, bytes, time)
                         : links.carry(chip, own, bytes, time);
  return memories[own].carry(onChip, bytes, time,
                             std::max(ready, carried) + asked);
}

DramCounters sim::addDramCounters(const ChipMemories &memories) {
  DramCounters sum;
  for (int64_t chip = 0; chip < memories.getNumChips(); ++chip) {
    const DramCounters &dram = memories.getMemory(chip).getDramCounters();
    for (auto field : {&DramCounters::bytesRead, &DramCounters::bytesWritten,
                       &DramCounters::partialLineBytes, &DramCounters::rowHits,
                       &DramCounters::rowMisses, &DramCounters::rowConflicts,
                       &DramCounters::refreshes, &DramCounters::busTime,
                       &DramCounters::activateTime, &DramCounters::refreshTime,
                       &DramCounters::turnaroundTime})
      sum.*field += dram.*field;
    llvm::append_range(sum.channelBytes, dram.channelBytes);
  }
  return sum;
}

NocCounters sim::addNocCounters(const ChipMemories &memories) {
  NocCounters sum;
  for (int64_t chip = 0; chip < memories.getNumChips(); ++chip) {
    const NocCounters &noc = memories.getMemory(chip).getNocCounters();
    sum.bytes += noc.bytes;
    sum.byteHops += noc.byteHops;
    llvm::append_range(sum.linkBytes, noc.linkBytes);
  }
  return sum;
}

CacheCounters sim::addCacheCounters(const ChipMemories &memories) {
  CacheCounters sum;
  for (int64_t chip = 0; chip < memories.getNumChips(); ++chip) {
    CacheCounters cache = memories.getMemory(chip).getCacheCounters();
    sum.hitBytes += cache.hitBytes;
    sum.missBytes += cache.missBytes;
    sum.writtenBackBytes += cache.writtenBackBytes;
  }
  return sum;
}
