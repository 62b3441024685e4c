// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The way between cores and memory channels. A crossbar has a port per core;
/// in a mesh data goes along its row first, then along its column, and links
/// are shared by all that pass.

#ifndef TEGULA_SIM_MEMORY_NOC_H
#define TEGULA_SIM_MEMORY_NOC_H

#include "tegula/sim/memory/Dram.h"

namespace tegula::sim {

/// What the NoC carried.
struct NocCounters {
  int64_t bytes = 0;
  int64_t byteHops = 0;
  /// Bytes per port of a crossbar or link of a mesh.
  std::vector<int64_t> linkBytes;
};

/// Ports and links, each busy until some time.
class Noc {
public:
  explicit Noc(const Machine &machine);

  /// Whether carry needs to know the parts of the channels.
  bool needsShares() const { return isMesh; }

  /// Carries `bytes` between memory and `core` that were asked for at `time`
  /// and are at the memory controllers at `ready`; returns when the last is
  /// there.
  Time carry(int64_t core, int64_t bytes, Time time, Time ready,
             const std::vector<ChannelShare> &shares);

  const NocCounters &getCounters() const { return counters; }

private:
  Time useLink(int64_t link, int64_t bytes, Time time);
  Time route(int64_t core, const ChannelShare &share, Time time);

  bool isMesh;
  int64_t columns;
  int64_t rows;
  int64_t numChannels;
  double cyclesPerByte;
  Time hop;
  std::vector<Time> free;
  NocCounters counters;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_NOC_H
