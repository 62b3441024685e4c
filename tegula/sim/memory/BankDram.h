// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// DRAM down to the rows of its banks. Requests of a channel are served in the
/// order in which they come. What asks for neighbouring lines of one row is
/// one run: at most one activation, then a line after the other on the bus,
/// cut where a refresh falls due. That is what serving line by line comes to.

#ifndef TEGULA_SIM_MEMORY_BANKDRAM_H
#define TEGULA_SIM_MEMORY_BANKDRAM_H

#include "tegula/sim/memory/ChannelHash.h"
#include "tegula/sim/memory/Dram.h"
#include <array>

namespace tegula::sim {

/// See Dram.
class BankDram : public Dram {
public:
  explicit BankDram(const Machine &machine);
  Time serve(const MemoryWindow &window, Time time, bool isWrite,
             std::vector<ChannelShare> *shares) override;

private:
  static constexpr Time longAgo = -(Time(1) << 60);

  struct Bank {
    int64_t openRow = -1;
    Time lastUse = 0;
    Time activated = longAgo;
  };
  struct Channel {
    Time busFree = 0;
    Time lastActivate = longAgo;
    Time nextRefresh = 0;
    /// The last four activations, oldest at `oldest`.
    std::array<Time, 4> activates{longAgo, longAgo, longAgo, longAgo};
    unsigned oldest = 0;
    bool isWriting = false;
    std::vector<Bank> banks;
  };
  /// A run of lines of one row.
  struct Run {
    int64_t bank;
    int64_t row;
    int64_t lines;
  };

  /// Serves `run`; returns when its last line has left the bus.
  Time serveRun(Channel &channel, const Run &run, Time time, bool isWrite);
  void refresh(Channel &channel, Time time);
  /// Opens the row of `run`; returns when its first line can be on the bus.
  Time activate(Channel &channel, const Run &run, Time time);

  ChannelHash hash;
  int64_t lineShift, rowShift, bankShift, bankMask;
  Time line, rcd, rp, ras, rrd, faw, turnaround, refreshInterval, refreshTime;
  /// From the end of the last line on the bus to its arrival.
  Time latency;
  std::vector<Channel> channels;
  /// When the parts of the request at hand are done, and their bytes.
  std::vector<Time> channelDone;
  std::vector<int64_t> windowBytes;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_MEMORY_BANKDRAM_H
