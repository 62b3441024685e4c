// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// DRAM banks, one line after the other: the rules of the data sheet as a list
/// of things that must have happened before, with nothing batched. Written to
/// be compared with BankDram, and shares no code with it.

#ifndef TEGULA_TEST_SIM_LINEBYLINEDRAM_H
#define TEGULA_TEST_SIM_LINEBYLINEDRAM_H

#include "tegula/sim/engine/Clock.h"
#include <map>
#include <vector>

namespace tegula::sim {

/// See the file comment.
class LineByLineDram {
public:
  explicit LineByLineDram(const Machine &machine) : machine(machine) {}

  int64_t hits = 0, misses = 0, conflicts = 0, refreshes = 0, lines = 0;

  /// Serves every line that holds some of `bytes` bytes from `base` on; returns
  /// when the last of them has arrived.
  Time serve(int64_t base, int64_t bytes, Time time, bool isWrite) {
    Time done = time;
    int64_t size = machine.dramLineBytes;
    for (int64_t line = base / size; line * size < base + bytes; ++line)
      done = std::max(done, serveLine(line * size, time, isWrite));
    return done;
  }

private:
  struct ChannelState {
    Time busEnd = 0;
    bool wasWrite = false;
    int64_t refreshesDone = 0;
    std::vector<Time> activations;
    std::map<int64_t, int64_t> openRows;
    std::map<int64_t, Time> lastActivation;
    std::map<int64_t, Time> lastData;
  };

  Time ns(double value) const { return fromNs(value, machine); }

  Time serveLine(int64_t address, Time time, bool isWrite) {
    int64_t block = address / machine.dramInterleaveBytes;
    int64_t folded = block;
    for (int64_t shift : machine.dramHashShifts)
      folded ^= block / (int64_t(1) << shift);
    ChannelState &channel = channels[folded % machine.dramChannels];
    int64_t inner = block / machine.dramChannels * machine.dramInterleaveBytes +
                    address % machine.dramInterleaveBytes;
    int64_t rowIndex = inner / machine.dramRowBytes;
    int64_t row = rowIndex / machine.dramBanksPerChannel;
    int64_t bank = (rowIndex ^ row) % machine.dramBanksPerChannel;
    ++lines;
    catchUpOnRefreshes(channel, time);
    if (channel.wasWrite != isWrite)
      channel.busEnd += ns(machine.dramTurnaroundNs);
    channel.wasWrite = isWrite;
    Time data = std::max(time, channel.busEnd);
    auto open = channel.openRows.find(bank);
    if (open != channel.openRows.end() && open->second == row) {
      ++hits;
    } else {
      Time ready = std::max(time, channel.lastData[bank]);
      if (open == channel.openRows.end()) {
        ++misses;
      } else {
        ++conflicts;
        ready = std::max(ready,
                         channel.lastActivation[bank] + ns(machine.dramRasNs)) +
                ns(machine.dramRpNs);
      }
      size_t count = channel.activations.size();
      if (count >= 1)
        ready = std::max(ready, channel.activations[count - 1] +
                                    ns(machine.dramRrdNs));
      if (count >= 4)
        ready = std::max(ready, channel.activations[count - 4] +
                                    ns(machine.dramFawNs));
      channel.activations.push_back(ready);
      channel.lastActivation[bank] = ready;
      channel.openRows[bank] = row;
      data = std::max(data, ready + ns(machine.dramRcdNs));
    }
    double bytesPerCycle = machine.dramBandwidthGbPerS * 1e3 /
                           machine.coreClockMhz / machine.dramChannels;
    channel.busEnd = data + fromCycles(machine.dramLineBytes / bytesPerCycle);
    channel.lastData[bank] = channel.busEnd;
    return channel.busEnd +
           ns(std::max(machine.dramClNs,
                       machine.dramLatencyNs - machine.dramRcdNs));
  }

  /// Refreshes that were due before the bus can be used next.
  void catchUpOnRefreshes(ChannelState &channel, Time time) {
    Time interval = ns(machine.dramRefreshIntervalNs);
    for (;; ++channel.refreshesDone, ++refreshes) {
      Time due = (channel.refreshesDone + 1) * interval;
      if (std::max(time, channel.busEnd) < due)
        return;
      channel.busEnd =
          std::max(channel.busEnd, due + ns(machine.dramRefreshNs));
      channel.openRows.clear();
    }
  }

  Machine machine;
  std::map<int64_t, ChannelState> channels;
};

} // namespace tegula::sim

#endif // TEGULA_TEST_SIM_LINEBYLINEDRAM_H
