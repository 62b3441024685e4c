// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cache all cores share: sets of blocks, the least recently used goes
/// first, written back when it goes.

#ifndef TEGULA_SIM_MEMORY_SHAREDCACHE_H
#define TEGULA_SIM_MEMORY_SHAREDCACHE_H

#include "tegula/sim/memory/Dram.h"

namespace tegula::sim {

/// What the cache found and what it did not.
struct CacheCounters {
  int64_t hitBytes = 0;
  int64_t missBytes = 0;
  int64_t writtenBackBytes = 0;
};

/// A cache in front of a DRAM.
class SharedCache {
public:
  SharedCache(const Machine &machine, Dram &dram);

  /// As Dram::serve.
  Time serve(const MemoryWindow &window, Time time, bool isWrite,
             std::vector<ChannelShare> *shares);

  const CacheCounters &getCounters() const { return counters; }

private:
  struct Block {
    int64_t tag = -1;
    int64_t lastUse = 0;
    /// When what it holds has come from DRAM.
    Time ready = 0;
    bool isDirty = false;
  };

  /// The bytes of one block; returns when they are there.
  Time access(int64_t block, int64_t bytes, Time time, bool isWrite);

  Dram &dram;
  int64_t blockBytes;
  int64_t ways;
  int64_t numSets;
  int64_t numChannels;
  double cyclesPerByte;
  Time latency;
  Time free = 0;
  int64_t useCount = 0;
  std::vector<Block> blocks;
  CacheCounters counters;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_SHAREDCACHE_H
