// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The operations a core has in sight: a ring, from the oldest that is not
/// done to the newest that was taken from the stream.

#ifndef TEGULA_SIM_ENGINE_OPWINDOW_H
#define TEGULA_SIM_ENGINE_OPWINDOW_H

#include "tegula/sim/engine/Unit.h"
#include "tegula/support/TraceAbi.h"
#include <vector>

namespace tegula::sim {

/// An operation that is not done yet, what it waits for and who waits for it.
struct OpSlot {
  /// Someone who waits: a place in the window, and the cause to name.
  struct Waiter {
    int32_t slot;
    Stall cause;
  };

  TegulaTraceOp op;
  int64_t id = -1;
  Unit unit = Unit::DmaIn;
  bool isAlive = false;
  bool hasReleased = false;
  int32_t item = 0;
  /// Dependencies that are not met.
  int32_t numPending = 0;
  /// Chunks of a transfer that are on their way.
  int32_t numChunks = 0;
  bool isIssued = false;
  Time admitted = 0;
  Time started = 0;
  Time freed = 0;
  /// When the last dependency was met, what it was, and who met it.
  Time met = 0;
  Stall cause = Stall::NoWork;
  int64_t waitedFor = -1;
  /// Who waits until its operands were read, and until its results are there.
  std::vector<Waiter> untilReleased;
  std::vector<Waiter> untilReady;
};

/// The ring.
class OpWindow {
public:
  explicit OpWindow(int64_t capacity) : slots(capacity) {}

  bool isFull() const { return next - oldest == int64_t(slots.size()); }
  int64_t getOldest() const { return oldest; }
  int64_t getNewest() const { return next - 1; }
  int64_t getNumAlive() const { return numAlive; }
  OpSlot &operator[](int32_t index) { return slots[index]; }

  /// The slot of operation `id`; null if it is done.
  OpSlot *find(int64_t id) {
    OpSlot &slot = slots[id % int64_t(slots.size())];
    return slot.id == id && slot.isAlive ? &slot : nullptr;
  }

  /// Makes room for one more; the window must not be full.
  int32_t push() {
    auto index = static_cast<int32_t>(next % int64_t(slots.size()));
    OpSlot &slot = slots[index];
    slot.id = next++;
    slot.isAlive = true;
    slot.hasReleased = slot.isIssued = false;
    slot.numPending = slot.numChunks = 0;
    slot.waitedFor = -1;
    slot.untilReleased.clear();
    slot.untilReady.clear();
    ++numAlive;
    return index;
  }

  /// An operation is done.
  void retire(OpSlot &slot) {
    slot.isAlive = false;
    --numAlive;
    while (oldest < next && !slots[oldest % int64_t(slots.size())].isAlive)
      ++oldest;
  }

private:
  std::vector<OpSlot> slots;
  int64_t oldest = 0;
  int64_t next = 0;
  int64_t numAlive = 0;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_OPWINDOW_H
