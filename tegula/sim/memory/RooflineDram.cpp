// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/RooflineDram.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

RooflineDram::RooflineDram(const Machine &machine)
    : cyclesPerByte(1 /
                    (machine.getDramBytesPerCycle() * machine.dramEfficiency)),
      latency(fromNs(machine.dramLatencyNs, machine)),
      numChannels(machine.dramChannels) {}

Time RooflineDram::serve(const MemoryWindow &window, Time time, bool isWrite,
                         std::vector<ChannelShare> *shares) {
  int64_t bytes = window.getBytes();
  (isWrite ? counters.bytesWritten : counters.bytesRead) += bytes;
  Time duration = fromCycles(bytes * cyclesPerByte);
  counters.busTime += duration;
  free = std::max(free, time) + duration;
  Time done = free + latency;
  if (shares) {
    shares->clear();
    for (int64_t channel = 0; channel < numChannels; ++channel)
      shares->push_back({channel, bytes / numChannels, done});
  }
  return done;
}
