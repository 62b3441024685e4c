// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/Noc.h"

#include "tegula/sim/cost/ArrayCycles.h"

#include <algorithm>
#include <cstdlib>

using namespace tegula;
using namespace tegula::sim;

Noc::Noc(const Machine &machine)
    : isMesh(machine.noc == NocKind::Mesh), columns(machine.nocMeshColumns),
      rows(ceilDiv(machine.cores, machine.nocMeshColumns)),
      numChannels(machine.dramChannels),
      cyclesPerByte(1.0 / machine.nocPortBytesPerCycle),
      hop(fromCycles(machine.nocHopCycles)) {
  // A node of a mesh has a link to the left and one up or down.
  int64_t numLinks = isMesh ? 2 * columns * rows : machine.cores;
  free.resize(numLinks);
  counters.linkBytes.resize(numLinks);
}

Time Noc::useLink(int64_t link, int64_t bytes, Time time) {
  counters.linkBytes[link] += bytes;
  counters.byteHops += bytes;
  free[link] = std::max(free[link], time) + fromCycles(bytes * cyclesPerByte);
  return free[link];
}

Time Noc::route(int64_t core, const ChannelShare &share, Time time) {
  int64_t column = core % columns, row = core / columns;
  int64_t edgeRow = share.channel * rows / numChannels;
  Time done = share.done;
  for (int64_t at = column; at >= 0; --at)
    done = std::max(done, useLink(2 * (row * columns + at), share.bytes, time));
  int64_t step = edgeRow < row ? -1 : 1;
  for (int64_t at = row; at != edgeRow; at += step)
    done = std::max(done, useLink(2 * (at * columns) + 1, share.bytes, time));
  return done + hop * (column + 1 + std::abs(row - edgeRow));
}

Time Noc::carry(int64_t core, int64_t bytes, Time time, Time ready,
                const std::vector<ChannelShare> &shares) {
  counters.bytes += bytes;
  if (!isMesh)
    return std::max(ready, useLink(core, bytes, time)) + hop;
  Time done = ready;
  for (const ChannelShare &share : shares)
    done = std::max(done, route(core, share, time));
  return done;
}
