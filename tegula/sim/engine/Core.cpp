// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/Core.h"

#include "tegula/sim/cost/ArrayCycles.h"
#include "tegula/sim/cost/UsefulTime.h"
#include "tegula/sim/cost/VectorCycles.h"

using namespace tegula;
using namespace tegula::sim;

Core::Core(SharedState &shared, int32_t index)
    : shared(shared), machine(shared.machine), index(index),
      chip(shared.memory.getChipOf(index)), window(machine.windowOps),
      engines{DmaEngine(machine), DmaEngine(machine), DmaEngine(machine),
              DmaEngine(machine)},
      items(machine.workItemsInFlight) {}

DmaEngine &Core::engineOf(Unit unit) {
  switch (unit) {
  case Unit::DmaIn:
    return engines[0];
  case Unit::DmaOut:
    return engines[1];
  case Unit::VectorIn:
    return engines[2];
  default:
    assert(unit == Unit::VectorOut && "no other unit moves bytes");
    return engines[3];
  }
}

/// The loads that go before the stores of a unit.
static Unit getLoads(Unit stores) {
  return stores == Unit::DmaOut ? Unit::DmaIn : Unit::VectorIn;
}

static Unit getStores(Unit loads) {
  return loads == Unit::DmaIn ? Unit::DmaOut : Unit::VectorOut;
}

static bool isStoring(Unit unit) {
  return unit == Unit::DmaOut || unit == Unit::VectorOut;
}

void Core::settle(UnitState &unit, Stall cause, Time until) {
  Time drain = std::min(unit.drained, until) - unit.settled;
  if (drain > 0) {
    unit.time.charge(Stall::Drain, drain);
    unit.settled += drain;
  }
  if (until > unit.settled) {
    unit.time.charge(cause, until - unit.settled);
    unit.settled = until;
  }
}

void Core::onLaunched() {
  settleIdle(Stall::Launch);
  std::fill(std::begin(cursor.kept), std::end(cursor.kept), 0);
  pull();
}

void Core::settleIdle(Stall cause) {
  for (UnitState &unit : units)
    if (!unit.isBusy && unit.queue.empty())
      settle(unit, cause, now());
}

void Core::tryStart(Unit unit) {
  UnitState &state = unitOf(unit);
  if (state.isBusy || state.queue.empty())
    return;
  int32_t slotIndex = state.queue.front();
  OpSlot &slot = window[slotIndex];
  if (slot.numPending > 0)
    return;
  if (unit == Unit::Weights) {
    if (numWeightSlotsUsed == machine.weightSlotsPerArray) {
      slot.cause = Stall::WeightSlot;
      return;
    }
    ++numWeightSlotsUsed;
  }
  state.queue.pop_front();
  settle(state, slot.cause, now());
  state.isBusy = true;
  state.slot = slotIndex;
  ++state.time.numOps;
  slot.started = now();
  for (unsigned range = 0; range < slot.op.numWrites; ++range)
    if (slot.op.writes[range].space != TegulaTraceShared)
      map.occupy(slot.op.writes[range]);
  start(slot, slotIndex);
}

static int64_t countBytes(const TegulaTraceOp &op) {
  int64_t bytes = 0;
  auto add = [&](const TegulaTraceRange &range) {
    if (range.space != TegulaTraceShared)
      bytes += range.size;
  };
  std::for_each(op.reads, op.reads + op.numReads, add);
  std::for_each(op.writes, op.writes + op.numWrites, add);
  return bytes;
}

void Core::start(OpSlot &slot, int32_t slotIndex) {
  const TegulaTraceOp &op = slot.op;
  int64_t bytes = countBytes(op);
  result.scratchpadBytes += bytes;
  const TegulaTraceFormula *formula =
      op.kind == TegulaTraceVector
          ? &items[slot.item].item.kernel->formulas[op.formula]
          : nullptr;
  unitOf(slot.unit).time.useful += getUsefulTime(op, formula, machine);
  switch (op.kind) {
  case TegulaTraceLoad:
  case TegulaTraceStore:
    engineOf(slot.unit).begin(op, slotIndex);
    if (op.peer > 0)
      getActivity().begin(Activity::Communication, now());
    shared.events.push(now() + fromCycles(machine.dmaSetupCycles),
                       EventKind::Issue, index, int32_t(slot.unit));
    return;
  case TegulaTraceLoadWeights:
    return startFor(slot, slotIndex, fromCycles(getWeightLoadCycles(machine)),
                    0);
  case TegulaTraceMultiply:
    result.macs += int64_t(op.rows) * op.columns * op.depth;
    return startMultiply(slot, slotIndex);
  case TegulaTraceReadOut:
    return startFor(slot, slotIndex,
                    fromCycles(ceilDiv(int64_t(op.rows) * op.columns,
                                       machine.readoutElementsPerCycle)),
                    0);
  default:
    result.vectorElements += countVectorElements(*formula, op.rows, op.columns);
    return startFor(slot, slotIndex,
                    fromCycles(getVectorCycles(*formula, op.rows, op.columns,
                                               bytes, machine)),
                    fromCycles(machine.vectorLatencyCycles));
  }
}

void Core::startMultiply(OpSlot &slot, int32_t slotIndex) {
  const TegulaTraceOp &op = slot.op;
  MatmulShape shape{op.rows, op.columns, op.depth};
  if (machine.arraysPerCore == 0) {
    int64_t lanes = machine.vectorUnitsPerCore * machine.vectorElementsPerCycle;
    return startFor(slot, slotIndex,
                    fromCycles(ceilDiv(shape.getMacs(), lanes)),
                    fromCycles(machine.vectorLatencyCycles));
  }
  if (op.flags & TegulaTraceWeightsLoaded) {
    ArrayCost loaded = getLoadedCost(shape, machine);
    return startFor(slot, slotIndex, loaded.issue, loaded.drain);
  }
  ArrayCost cost = getMultiplyCost(shape, machine);
  // The first weights load under the matmul before, if they are there in time.
  if (machine.weightSlotsPerArray > 1) {
    Time load = fromCycles(getWeightLoadCycles(machine));
    Time exposed = std::clamp<Time>(slot.met + load - now(), 0, load);
    UnitState &state = unitOf(slot.unit);
    state.time.charge(Stall::Weights, exposed);
    state.settled += exposed;
    cost.issue += exposed;
  }
  startFor(slot, slotIndex, cost.issue, cost.drain);
}

void Core::startFor(OpSlot &slot, int32_t slotIndex, Time issue, Time drain) {
  getActivity().begin(Activity::Compute, now());
  shared.events.push(now() + issue, EventKind::UnitFree, index,
                     int32_t(slot.unit));
  shared.events.push(now() + issue + drain, EventKind::OpReady, index,
                     slotIndex);
  unitOf(slot.unit).drained = now() + issue + drain;
}

void Core::onIssue(Unit unit) {
  DmaEngine &dma = engineOf(unit);
  bool isStore = isStoring(unit);
  if (isStore && machine.dmaLoadsFirst && unitOf(getLoads(unit)).isBusy) {
    dma.isYielding = true;
    dma.yieldingSince = now();
    return;
  }
  if (!dma.hasRoom()) {
    dma.isWaitingForRoom = true;
    return;
  }
  OpSlot &slot = window[dma.getSlot()];
  MemoryWindow chunk = dma.takeChunk();
  TensorTraffic &traffic =
      shared.tensors[(*items[slot.item].item.tensors)[slot.op.tensor]];
  (isStore ? traffic.bytesStored : traffic.bytesLoaded) += chunk.getBytes();
  Time passed =
      now() + fromCycles(double(chunk.getBytes()) / machine.dmaBytesPerCycle);
  int64_t whose = slot.op.peer > 0 ? slot.op.peer - 1 : chip;
  Time done = std::max(
      passed, shared.memory.serve(index, whose, chunk, now(), isStore));
  ++dma.numInFlight;
  ++slot.numChunks;
  slot.isIssued = dma.isAtEnd();
  shared.events.push(passed,
                     slot.isIssued ? EventKind::UnitFree : EventKind::Issue,
                     index, int32_t(unit));
  shared.events.push(done, EventKind::ChunkDone, index, dma.getSlot());
}

void Core::onChunkDone(int32_t slotIndex) {
  OpSlot &slot = window[slotIndex];
  DmaEngine &dma = engineOf(slot.unit);
  --dma.numInFlight;
  --slot.numChunks;
  if (dma.isWaitingForRoom) {
    dma.isWaitingForRoom = false;
    onIssue(slot.unit);
  }
  if (slot.isIssued && slot.numChunks == 0)
    onReady(slotIndex);
}

void Core::yieldNoMore(Unit stores) {
  DmaEngine &dma = engineOf(stores);
  if (!dma.isYielding || unitOf(getLoads(stores)).isBusy)
    return;
  dma.isYielding = false;
  dma.yielded += now() - dma.yieldingSince;
  onIssue(stores);
}

void Core::onUnitFree(Unit unit) {
  UnitState &state = unitOf(unit);
  OpSlot &slot = window[state.slot];
  state.isBusy = false;
  slot.freed = now();
  if (isStoring(unit)) {
    state.time.charge(Stall::LoadsFirst, engineOf(unit).yielded);
    state.settled += engineOf(unit).yielded;
  }
  state.time.busy += now() - state.settled;
  state.settled = now();
  if (!isDma(unit)) {
    getActivity().end(Activity::Compute, now());
    slot.hasReleased = true;
    vacateRead(slot.op);
    resolveWaiters(slot.untilReleased, slot);
  }
  if (slot.op.kind == TegulaTraceMultiply && machine.weightSlotsPerArray > 1 &&
      (slot.op.flags & TegulaTraceWeightsLoaded))
    freeWeightSlot();
  tryStart(unit);
  if (isDma(unit) && !isStoring(unit))
    yieldNoMore(getStores(unit));
}

void Core::freeWeightSlot() {
  --numWeightSlotsUsed;
  tryStart(Unit::Weights);
}

void Core::resolveWaiters(std::vector<OpSlot::Waiter> &waiters,
                          const OpSlot &by) {
  // What starts now may wait for others, but nobody begins to wait for `by`.
  for (const OpSlot::Waiter &waiter : waiters) {
    OpSlot &slot = window[waiter.slot];
    slot.cause = waiter.cause;
    slot.met = now();
    slot.waitedFor = by.id;
    if (--slot.numPending == 0)
      tryStart(slot.unit);
  }
  waiters.clear();
}

/// What was read for the last time holds nothing from now on, and may be
/// overwritten at once.
void Core::vacateRead(const TegulaTraceOp &op) {
  for (unsigned range = 0; range < op.numReads; ++range)
    if (op.reads[range].isLast)
      map.vacate(op.reads[range]);
}

void Core::onReady(int32_t slotIndex) {
  OpSlot &slot = window[slotIndex];
  const TegulaTraceOp &op = slot.op;
  ItemState &item = items[slot.item];
  if (!slot.hasReleased)
    vacateRead(op);
  if (shared.observer)
    shared.observer->onOp({op, *item.item.kernel, slot.id, index, slot.unit,
                           item.item.index, slot.started, slot.freed, now(),
                           slot.waitedFor, slot.cause, map.getLiveBytes()});
  if (isDma(slot.unit) && op.peer > 0)
    getActivity().end(Activity::Communication, now());
  window.retire(slot);
  map.setOldest(window.getOldest());
  sendNotifies();
  if (!slot.hasReleased)
    resolveWaiters(slot.untilReleased, slot);
  resolveWaiters(slot.untilReady, slot);
  if (op.kind == TegulaTraceMultiply && machine.weightSlotsPerArray == 1 &&
      (op.flags & TegulaTraceWeightsLoaded))
    freeWeightSlot();
  --item.numOps;
  finishItem(item);
  pull();
}

CoreResult Core::finish(Time end) {
  for (unsigned unit = 0; unit < numUnits; ++unit) {
    settle(units[unit], Stall::NoWork, end);
    assert(units[unit].time.getTotal() == end &&
           "all time of a unit is busy or has a cause");
    result.units[unit] = units[unit].time;
  }
  result.scratchpadHighWater = map.getHighWater();
  return result;
}
