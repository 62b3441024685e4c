// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What will happen, earliest first; what happens at one time happens in the
/// order in which it was put in.

#ifndef TEGULA_SIM_ENGINE_EVENTQUEUE_H
#define TEGULA_SIM_ENGINE_EVENTQUEUE_H

#include "tegula/sim/engine/Clock.h"
#include <algorithm>
#include <cassert>
#include <vector>

namespace tegula::sim {

/// What an event is about.
enum class EventKind : uint8_t {
  Launched,   ///< a tenant's kernel may start; `index` is the tenant
  Dispatched, ///< a core may take operations of its next work item
  UnitFree,   ///< the unit of operation `index` can take the next one
  OpReady,    ///< the results of operation `index` are there
  Issue,      ///< a DMA engine asks for its next chunk; `index` is the unit
  ChunkDone,  ///< a chunk of the transfer `index` has arrived
  Signalled   ///< the change `index` of a signal has arrived at chip `core`
};

/// One event.
struct Event {
  Time time;
  int64_t sequence;
  int32_t core;
  int32_t index;
  EventKind kind;
};

/// A binary heap of events, and the clock they move.
class EventQueue {
public:
  Time now() const { return current; }
  bool empty() const { return heap.empty(); }
  int64_t getNumEvents() const { return numPopped; }

  void push(Time time, EventKind kind, int32_t core, int32_t index) {
    assert(time >= current && "nothing happens in the past");
    heap.push_back({time, numPushed++, core, index, kind});
    std::push_heap(heap.begin(), heap.end(), isLater);
  }

  /// Takes the earliest event; its time is now.
  Event pop() {
    std::pop_heap(heap.begin(), heap.end(), isLater);
    Event event = heap.back();
    heap.pop_back();
    current = event.time;
    ++numPopped;
    return event;
  }

private:
  static bool isLater(const Event &lhs, const Event &rhs) {
    return lhs.time != rhs.time ? lhs.time > rhs.time
                                : lhs.sequence > rhs.sequence;
  }

  std::vector<Event> heap;
  Time current = 0;
  int64_t numPushed = 0;
  int64_t numPopped = 0;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_EVENTQUEUE_H
