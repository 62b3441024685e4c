// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// DRAM as one pipe: bytes over bandwidth, and a latency.

#ifndef TEGULA_SIM_MEMORY_ROOFLINEDRAM_H
#define TEGULA_SIM_MEMORY_ROOFLINEDRAM_H

#include "tegula/sim/memory/Dram.h"

namespace tegula::sim {

/// See Dram.
class RooflineDram : public Dram {
public:
  explicit RooflineDram(const Machine &machine);
  Time serve(const MemoryWindow &window, Time time, bool isWrite,
             std::vector<ChannelShare> *shares) override;

private:
  double cyclesPerByte;
  Time latency;
  int64_t numChannels;
  Time free = 0;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_ROOFLINEDRAM_H
