// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/SharedCache.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

SharedCache::SharedCache(const Machine &machine, Dram &dram)
    : dram(dram), blockBytes(machine.l2BlockBytes), ways(machine.l2Ways),
      numSets(machine.l2Bytes / (machine.l2BlockBytes * machine.l2Ways)),
      numChannels(machine.dramChannels),
      cyclesPerByte(machine.coreClockMhz / 1e3 / machine.l2BandwidthGbPerS),
      latency(fromNs(machine.l2LatencyNs, machine)), blocks(numSets * ways) {}

Time SharedCache::access(int64_t block, int64_t bytes, Time time,
                         bool isWrite) {
  Block *first = &blocks[block % numSets * ways];
  Block *found = std::find_if(
      first, first + ways, [&](const Block &way) { return way.tag == block; });
  bool isHit = found != first + ways;
  if (!isHit) {
    found = std::min_element(first, first + ways,
                             [](const Block &lhs, const Block &rhs) {
                               return lhs.lastUse < rhs.lastUse;
                             });
    if (found->isDirty) {
      counters.writtenBackBytes += blockBytes;
      dram.serve({found->tag * blockBytes, 0, 1, blockBytes}, time,
                 /*isWrite=*/true, nullptr);
    }
    *found = Block{};
    found->tag = block;
    // A whole block that is about to be written need not be read.
    if (!isWrite || bytes < blockBytes)
      found->ready = dram.serve({block * blockBytes, 0, 1, blockBytes}, time,
                                /*isWrite=*/false, nullptr);
  }
  (isHit ? counters.hitBytes : counters.missBytes) += bytes;
  found->lastUse = ++useCount;
  found->isDirty |= isWrite;
  return std::max(time + latency, found->ready);
}

Time SharedCache::serve(const MemoryWindow &window, Time time, bool isWrite,
                        std::vector<ChannelShare> *shares) {
  Time done = time;
  for (int64_t row = 0; row < window.rows; ++row) {
    int64_t begin = window.base + row * window.pitch;
    for (int64_t end = begin + window.rowBytes; begin < end;) {
      int64_t block = begin / blockBytes;
      int64_t next = std::min((block + 1) * blockBytes, end);
      done = std::max(done, access(block, next - begin, time, isWrite));
      begin = next;
    }
  }
  free = std::max(free, time) + fromCycles(window.getBytes() * cyclesPerByte);
  done = std::max(done, free + latency);
  if (shares) {
    shares->clear();
    for (int64_t channel = 0; channel < numChannels; ++channel)
      shares->push_back({channel, window.getBytes() / numChannels, done});
  }
  return done;
}
