// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// DRAM as channels, each with its share of the bandwidth and a queue. Sees
/// addresses that fall on few channels; does not see rows and banks.

#ifndef TEGULA_SIM_MEMORY_CHANNELDRAM_H
#define TEGULA_SIM_MEMORY_CHANNELDRAM_H

#include "tegula/sim/memory/ChannelHash.h"
#include "tegula/sim/memory/Dram.h"

namespace tegula::sim {

/// See Dram.
class ChannelDram : public Dram {
public:
  explicit ChannelDram(const Machine &machine);
  Time serve(const MemoryWindow &window, Time time, bool isWrite,
             std::vector<ChannelShare> *shares) override;

private:
  ChannelHash hash;
  double cyclesPerByte;
  Time latency;
  /// When each channel can take the next request.
  std::vector<Time> free;
  /// Bytes of the request at hand per channel; zero between requests.
  std::vector<int64_t> asked;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_CHANNELDRAM_H
