// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// DRAM, followed as closely as the machine wants: one pipe for all bytes, one
/// per channel, or every bank. All three serve the same requests, windows of
/// rows in memory, and say when the last byte has crossed the bus.

#ifndef TEGULA_SIM_MEMORY_DRAM_H
#define TEGULA_SIM_MEMORY_DRAM_H

#include "tegula/sim/engine/Clock.h"
#include <memory>
#include <vector>

namespace tegula::sim {

/// `rows` rows of `rowBytes` bytes, `pitch` bytes apart.
struct MemoryWindow {
  int64_t base;
  int64_t pitch;
  int64_t rows;
  int64_t rowBytes;

  int64_t getBytes() const { return rows * rowBytes; }
};

/// What DRAM did; times are sums over channels.
struct DramCounters {
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
  /// Bytes of lines that were transferred and not asked for.
  int64_t partialLineBytes = 0;
  int64_t rowHits = 0;
  int64_t rowMisses = 0;
  int64_t rowConflicts = 0;
  int64_t refreshes = 0;
  Time busTime = 0;
  Time activateTime = 0;
  Time refreshTime = 0;
  Time turnaroundTime = 0;
  /// Per channel; empty at level roofline.
  std::vector<int64_t> channelBytes;
};

/// The part of a request that one channel serves.
struct ChannelShare {
  int64_t channel;
  int64_t bytes;
  Time done;
};

/// The memory behind all cores.
class Dram {
public:
  virtual ~Dram() = default;

  /// Asks for `window` at `time`; returns when its last byte is at the memory
  /// controller. Requests come in the order of their times. If `shares` is
  /// there, it is filled with the parts of the channels.
  virtual Time serve(const MemoryWindow &window, Time time, bool isWrite,
                     std::vector<ChannelShare> *shares) = 0;

  const DramCounters &getCounters() const { return counters; }

protected:
  DramCounters counters;
};

/// DRAM at the level `machine` asks for.
std::unique_ptr<Dram> makeDram(const Machine &machine);

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_DRAM_H
