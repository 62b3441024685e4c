// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/memory/Links.h"

#include "tegula/sim/cost/ArrayCycles.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

Links::Links(const Machine &machine, int64_t numChips)
    : topology(machine.linkTopology), numChips(numChips),
      columns(std::min(machine.linkMeshColumns, numChips)),
      rows(ceilDiv(numChips, columns)),
      cyclesPerByte(1 / machine.getLinkBytesPerCycle()),
      latency(fromNs(machine.linkLatencyNs, machine)),
      pairBytes(numChips * numChips) {}

/// Along a line of `length` chips, or around it where its ends are connected.
int64_t Links::stepAlong(int64_t at, int64_t to, int64_t length) const {
  if (topology == LinkTopology::Mesh)
    return at < to ? at + 1 : at - 1;
  int64_t forward = (to - at + length) % length;
  return (at + (2 * forward <= length ? 1 : length - 1)) % length;
}

int64_t Links::step(int64_t at, int64_t to) const {
  if (topology == LinkTopology::Full)
    return to;
  if (topology == LinkTopology::Ring)
    return stepAlong(at, to, numChips);
  int64_t column = at % columns, row = at / columns;
  if (column != to % columns)
    column = stepAlong(column, to % columns, columns);
  else
    row = stepAlong(row, to / columns, rows);
  return row * columns + column;
}

Time Links::carry(int64_t from, int64_t to, int64_t bytes, Time time) {
  pairBytes[from * numChips + to] += bytes;
  Time duration = fromCycles(double(bytes) * cyclesPerByte), done = time;
  for (int64_t at = from; at != to;) {
    int64_t next = step(at, to);
    Link &link = links[{at, next}];
    link.free = std::max(link.free, time) + duration;
    link.traffic.bytes += bytes;
    link.traffic.busy += duration;
    done = std::max(done, link.free);
    if (listener)
      listener({at, next, bytes, link.free - duration, link.free});
    at = next;
  }
  return done + getLatency(from, to);
}

Time Links::getLatency(int64_t from, int64_t to) const {
  Time total = 0;
  for (int64_t at = from; at != to; at = step(at, to))
    total += latency;
  return total;
}

std::vector<LinkTraffic> Links::getTraffic() const {
  std::vector<LinkTraffic> traffic;
  for (const auto &[ends, link] : links) {
    traffic.push_back(link.traffic);
    traffic.back().from = ends.first;
    traffic.back().to = ends.second;
  }
  return traffic;
}
