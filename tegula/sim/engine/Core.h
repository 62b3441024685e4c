// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A core: units that each run their operations in order, and a window of
/// operations that wait for each other as the bytes they read and write say.
///
/// An operation has two ends. At the first its unit can take the next one and
/// its operands have been read; at the second its result is there. Who reads a
/// result waits for the second; who overwrites an operand waits for the first.
/// A matmul that adds to the one before it in the same queue waits for
/// neither: the arrays accumulate in order.

#ifndef TEGULA_SIM_ENGINE_CORE_H
#define TEGULA_SIM_ENGINE_CORE_H

#include "tegula/sim/engine/DmaEngine.h"
#include "tegula/sim/engine/EventQueue.h"
#include "tegula/sim/engine/ItemSource.h"
#include "tegula/sim/engine/Observer.h"
#include "tegula/sim/engine/OpWindow.h"
#include "tegula/sim/engine/Result.h"
#include "tegula/sim/engine/ScratchpadMap.h"
#include "tegula/sim/engine/Signals.h"
#include "tegula/sim/memory/ChipMemories.h"
#include <deque>

namespace tegula::sim {

/// What the cores of a run share.
struct SharedState {
  const Machine &machine;
  EventQueue &events;
  ChipMemories &memory;
  Signals &signals;
  std::vector<ChipActivity> &activities;
  std::vector<TensorTraffic> &tensors;
  /// Null if nobody watches.
  Observer *observer;
  /// What is wrong with a kernel, once something is; the run ends then.
  std::string problem;
};

/// One core in a run.
class Core {
public:
  Core(SharedState &shared, int32_t index);

  void setSource(ItemSource *newSource) { source = newSource; }

  /// Takes operations from the stream while there is room.
  void pull();
  /// Charges the time since a unit was last seen to `cause`, of units that are
  /// idle with nothing in their queues.
  void settleIdle(Stall cause);

  // What events do.
  void onLaunched();
  void onDispatched();
  void onUnitFree(Unit unit);
  void onReady(int32_t index);
  void onIssue(Unit unit);
  void onChunkDone(int32_t index);

  /// Whether operations, or items, are left that nothing will ever finish.
  bool isStuck() const { return numItemsInFlight > 0; }
  /// What it waits for another chip for; null if it does not.
  const TegulaTraceOp *getAwaitedSignal() const {
    return isWaiting ? &wait : nullptr;
  }
  /// Closes the books at `end`.
  CoreResult finish(Time end);

private:
  struct UnitState {
    std::deque<int32_t> queue;
    bool isBusy = false;
    int32_t slot = -1;
    /// Up to when its time is charged.
    Time settled = 0;
    /// When the last rows have left it.
    Time drained = 0;
    UnitTime time;
  };
  struct ItemState {
    WorkItem item{};
    int64_t numOps = 0;
    bool isActive = false;
    bool isStreaming = false;
  };

  UnitState &unitOf(Unit unit) { return units[static_cast<unsigned>(unit)]; }
  Time now() const { return shared.events.now(); }

  // Taking operations from the stream: CoreAdmit.cpp.
  bool takeItem();
  bool isStalled();
  bool isStalledBySignal();
  bool takeControl(const TegulaTraceOp &op);
  void sendNotifies();
  bool refill();
  void admit(const TegulaTraceOp &op);
  void findDependencies(OpSlot &slot, int32_t index);
  void takeWeights(OpSlot &slot, int32_t index);
  void waitFor(int64_t id, bool untilReady, OpSlot &slot, int32_t index);
  bool check(const TegulaTraceOp &op);
  void refuse(const std::string &problem);
  Unit getUnit(const TegulaTraceOp &op) const;
  void finishItem(ItemState &item);

  // Running them: Core.cpp.
  void tryStart(Unit unit);
  void start(OpSlot &slot, int32_t index);
  void startMultiply(OpSlot &slot, int32_t index);
  void startFor(OpSlot &slot, int32_t index, Time issue, Time drain);
  void resolveWaiters(std::vector<OpSlot::Waiter> &waiters, const OpSlot &by);
  void freeWeightSlot();
  void vacateRead(const TegulaTraceOp &op);
  void settle(UnitState &unit, Stall cause, Time until);
  /// The engine of a unit that moves bytes.
  DmaEngine &engineOf(Unit unit);
  void yieldNoMore(Unit stores);

  ChipActivity &getActivity() { return shared.activities[chip]; }

  SharedState &shared;
  const Machine &machine;
  int32_t index;
  int64_t chip;
  ItemSource *source = nullptr;
  OpWindow window;
  ScratchpadMap map;
  std::array<UnitState, numUnits> units;
  /// In, out, and those of vector units that are cores.
  std::array<DmaEngine, 4> engines;

  std::vector<ItemState> items;
  int32_t streaming = -1;
  int64_t numItemsInFlight = 0;
  bool isDispatching = false;
  TegulaTraceCursor cursor{};
  std::array<TegulaTraceOp, 16> buffer;
  int32_t numBuffered = 0;
  int32_t nextBuffered = 0;
  bool isAtBarrier = false;
  /// The operation that the scalar unit waits for; -1 for none.
  int64_t awaited = -1;
  /// Notifies, and the operation up to which all have to be done before.
  std::deque<std::pair<int64_t, TegulaTraceOp>> notifies;
  /// What the scalar unit waits for another chip for, if it does, and whether
  /// that was so when it last looked.
  TegulaTraceOp wait{};
  bool isWaiting = false;
  bool hasLooked = false;
  /// Why no operation was taken when that last happened.
  Stall blocked = Stall::Launch;

  /// Operations whose weights no matmul has taken yet.
  std::deque<int64_t> loadedWeights;
  int64_t numWeightSlotsUsed = 0;
  CoreResult result;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_CORE_H
