// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/ChannelDram.h"

using namespace tegula;
using namespace tegula::sim;

ChannelDram::ChannelDram(const Machine &machine)
    : hash(machine),
      cyclesPerByte(machine.dramChannels /
                    (machine.getDramBytesPerCycle() * machine.dramEfficiency)),
      latency(fromNs(machine.dramLatencyNs, machine)),
      free(machine.dramChannels), asked(machine.dramChannels) {
  counters.channelBytes.resize(machine.dramChannels);
}

Time ChannelDram::serve(const MemoryWindow &window, Time time, bool isWrite,
                        std::vector<ChannelShare> *shares) {
  for (int64_t row = 0; row < window.rows; ++row) {
    int64_t begin = window.base + row * window.pitch;
    hash.forEachBlock(begin, begin + window.rowBytes,
                      [&](int64_t block, int64_t, int64_t bytes) {
                        asked[hash.getChannel(block)] += bytes;
                      });
  }
  if (shares)
    shares->clear();
  Time done = time;
  int64_t moved = 0;
  for (size_t channel = 0; channel < asked.size(); ++channel) {
    int64_t bytes = asked[channel];
    if (bytes == 0)
      continue;
    asked[channel] = 0;
    moved += bytes;
    counters.channelBytes[channel] += bytes;
    Time duration = fromCycles(bytes * cyclesPerByte);
    counters.busTime += duration;
    free[channel] = std::max(free[channel], time) + duration;
    done = std::max(done, free[channel]);
    if (shares)
      shares->push_back({int64_t(channel), bytes, free[channel] + latency});
  }
  (isWrite ? counters.bytesWritten : counters.bytesRead) += window.getBytes();
  counters.partialLineBytes += moved - window.getBytes();
  return done + latency;
}
