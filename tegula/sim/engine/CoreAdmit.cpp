// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/Core.h"

#include "tegula/sim/cost/ArrayCycles.h"
#include "tegula/support/Error.h"

using namespace tegula;
using namespace tegula::sim;

static Stall getCause(const TegulaTraceOp &source, bool untilReady);

bool Core::isStalledBySignal() {
  if (!isWaiting)
    return false;
  if (!shared.signals.isMet(chip, wait)) {
    if (!hasLooked)
      getActivity().begin(Activity::Waiting, now());
    hasLooked = true;
    blocked = Stall::Signal;
    return true;
  }
  if (hasLooked)
    getActivity().end(Activity::Waiting, now());
  isWaiting = hasLooked = false;
  return false;
}

/// Whether the scalar unit waits for another chip, or for what was taken
/// before.
bool Core::isStalled() {
  if (isStalledBySignal())
    return true;
  if (OpSlot *slot = awaited >= 0 ? window.find(awaited) : nullptr) {
    blocked = getCause(slot->op, /*untilReady=*/true);
    return true;
  }
  awaited = -1;
  if (isAtBarrier && window.getNumAlive() > 0) {
    blocked = Stall::Barrier;
    return true;
  }
  isAtBarrier = false;
  return false;
}

/// What is done is in the window no more, so the oldest there is says all.
void Core::sendNotifies() {
  while (!notifies.empty() && notifies.front().first < window.getOldest()) {
    shared.signals.send(chip, notifies.front().second);
    notifies.pop_front();
  }
}

/// Takes what only the scalar unit does; false if it is something else.
bool Core::takeControl(const TegulaTraceOp &op) {
  switch (op.kind) {
  case TegulaTraceBarrier:
    isAtBarrier = true;
    return true;
  case TegulaTraceAwait:
    awaited = window.getNewest();
    return true;
  case TegulaTraceNotify:
    if (op.peer < 0 || op.peer > shared.memory.getNumChips())
      return refuse("a notify of no rank"), true;
    notifies.push_back({window.getNewest(), op});
    sendNotifies();
    return true;
  case TegulaTraceWait:
    wait = op;
    isWaiting = true;
    return true;
  default:
    return false;
  }
}

void Core::pull() {
  if (isDispatching || !source || !shared.problem.empty())
    return;
  while (true) {
    if (isStalled())
      return;
    if (nextBuffered == numBuffered && !refill())
      return;
    if (nextBuffered == numBuffered)
      continue;
    const TegulaTraceOp &op = buffer[nextBuffered];
    if (takeControl(op)) {
      ++nextBuffered;
      continue;
    }
    if (window.isFull()) {
      blocked = Stall::Window;
      return;
    }
    if (!check(op))
      return;
    ++nextBuffered;
    admit(op);
  }
}

/// Gets more operations, or the next item; false if there is nothing to be had
/// now.
bool Core::refill() {
  if (streaming < 0)
    return takeItem();
  ItemState &state = items[streaming];
  const WorkItem &item = state.item;
  nextBuffered = 0;
  numBuffered =
      item.kernel->next(item.kernel->context, item.phase, item.index, &cursor,
                        buffer.data(), int32_t(buffer.size()));
  if (numBuffered > 0)
    return true;
  numBuffered = 0;
  state.isStreaming = false;
  streaming = -1;
  finishItem(state);
  return true;
}

bool Core::takeItem() {
  if (numItemsInFlight == int64_t(items.size())) {
    blocked = Stall::ItemLimit;
    return false;
  }
  std::optional<WorkItem> item = source->takeItem();
  if (!item) {
    blocked = Stall::NoWork;
    return false;
  }
  settleIdle(blocked);
  ++numItemsInFlight;
  ++result.numItems;
  for (streaming = 0; items[streaming].isActive;)
    ++streaming;
  items[streaming] = {*item, 0, true, true};
  std::fill(std::begin(cursor.position), std::end(cursor.position), 0);
  UnitState &dispatch = unitOf(Unit::Dispatch);
  dispatch.isBusy = true;
  ++dispatch.time.numOps;
  isDispatching = true;
  blocked = Stall::Dispatch;
  shared.events.push(now() + fromCycles(machine.dispatchCycles),
                     EventKind::Dispatched, index, 0);
  return false;
}

void Core::onDispatched() {
  UnitState &dispatch = unitOf(Unit::Dispatch);
  dispatch.isBusy = false;
  dispatch.time.busy += now() - dispatch.settled;
  dispatch.time.useful = dispatch.time.busy;
  dispatch.settled = now();
  settleIdle(Stall::Dispatch);
  isDispatching = false;
  pull();
}

void Core::finishItem(ItemState &item) {
  if (item.numOps > 0 || item.isStreaming || !item.isActive)
    return;
  item.isActive = false;
  --numItemsInFlight;
  source->finishItem();
}

static bool namesVectorMemory(const TegulaTraceRange *ranges, unsigned count) {
  return std::any_of(ranges, ranges + count, [](const TegulaTraceRange &range) {
    return range.space == TegulaTraceVectorScratchpad;
  });
}

Unit Core::getUnit(const TegulaTraceOp &op) const {
  bool isApart = machine.vectorUnitsAreCores;
  switch (op.kind) {
  case TegulaTraceLoad:
    return isApart && namesVectorMemory(op.writes, op.numWrites)
               ? Unit::VectorIn
               : Unit::DmaIn;
  case TegulaTraceStore:
    return isApart && namesVectorMemory(op.reads, op.numReads) ? Unit::VectorOut
                                                               : Unit::DmaOut;
  case TegulaTraceLoadWeights:
    return Unit::Weights;
  case TegulaTraceMultiply:
    return machine.arraysPerCore > 0 ? Unit::Matrix : Unit::Vector;
  case TegulaTraceReadOut:
    return Unit::ReadOut;
  default:
    return Unit::Vector;
  }
}

/// Where cores hand tiles over, behind all tensors: each has a slot of its own.
static constexpr int64_t handoverBegin = int64_t(1) << 48;
static constexpr int64_t handoverBytesPerCore = int64_t(1) << 32;

static bool isHandover(const TegulaTraceOp &op) {
  auto isIn = [](const TegulaTraceRange &range) {
    return range.space == TegulaTraceShared;
  };
  return std::any_of(op.reads, op.reads + op.numReads, isIn) ||
         std::any_of(op.writes, op.writes + op.numWrites, isIn);
}

void Core::admit(const TegulaTraceOp &op) {
  int32_t slotIndex = window.push();
  OpSlot &slot = window[slotIndex];
  slot.op = op;
  if (isHandover(op))
    slot.op.base += handoverBegin + index * handoverBytesPerCore;
  slot.unit = getUnit(op);
  slot.item = streaming;
  slot.admitted = slot.met = now();
  slot.cause = blocked;
  ++items[streaming].numOps;
  UnitState &state = unitOf(slot.unit);
  if (!state.isBusy && state.queue.empty())
    settle(state, blocked, now());
  findDependencies(slot, slotIndex);
  state.queue.push_back(slotIndex);
  tryStart(slot.unit);
}

static Stall getCause(const TegulaTraceOp &source, bool untilReady) {
  if (!untilReady)
    return source.kind == TegulaTraceStore ? Stall::Store : Stall::Buffer;
  switch (source.kind) {
  case TegulaTraceLoad:
    return source.peer > 0 ? Stall::Peer : Stall::Load;
  case TegulaTraceStore:
    return Stall::Handover;
  case TegulaTraceLoadWeights:
    return Stall::Weights;
  case TegulaTraceMultiply:
    return Stall::Matrix;
  case TegulaTraceReadOut:
    return Stall::ReadOut;
  default:
    return Stall::Vector;
  }
}

void Core::waitFor(int64_t id, bool untilReady, OpSlot &slot,
                   int32_t slotIndex) {
  OpSlot *source = window.find(id);
  if (!source || (!untilReady && source->hasReleased))
    return;
  std::vector<OpSlot::Waiter> &waiters =
      untilReady ? source->untilReady : source->untilReleased;
  waiters.push_back({slotIndex, getCause(source->op, untilReady)});
  ++slot.numPending;
}

void Core::findDependencies(OpSlot &slot, int32_t slotIndex) {
  const TegulaTraceOp &op = slot.op;
  for (unsigned range = 0; range < op.numReads; ++range)
    map.read(op.reads[range], slot.id, [&](int64_t writer) {
      waitFor(writer, /*untilReady=*/true, slot, slotIndex);
    });
  bool accumulates = op.flags & TegulaTraceAccumulate;
  for (unsigned range = 0; range < op.numWrites; ++range)
    map.write(
        op.writes[range], slot.id,
        [&](int64_t writer) {
          OpSlot *source = window.find(writer);
          bool isInOrder =
              accumulates && source && source->op.kind == TegulaTraceMultiply;
          if (!isInOrder)
            waitFor(writer, /*untilReady=*/true, slot, slotIndex);
        },
        [&](int64_t reader) {
          waitFor(reader, /*untilReady=*/false, slot, slotIndex);
        });
  takeWeights(slot, slotIndex);
}

void Core::takeWeights(OpSlot &slot, int32_t slotIndex) {
  if (slot.op.kind == TegulaTraceLoadWeights) {
    loadedWeights.push_back(slot.id);
    return;
  }
  if (slot.op.kind != TegulaTraceMultiply ||
      !(slot.op.flags & TegulaTraceWeightsLoaded))
    return;
  waitFor(loadedWeights.front(), /*untilReady=*/true, slot, slotIndex);
  loadedWeights.pop_front();
}

void Core::refuse(const std::string &problem) {
  const WorkItem &item = items[streaming].item;
  shared.problem = llvm::formatv("kernel '{0}', work item {1}: {2}",
                                 item.kernel->name, item.index, problem);
}

bool Core::check(const TegulaTraceOp &op) {
  const TegulaTraceKernel &kernel = *items[streaming].item.kernel;
  int64_t sizes[] = {
      machine.scratchpadBytesPerCore, machine.accumulatorBytesPerCore,
      machine.vectorScratchpadBytesPerCore, handoverBytesPerCore};
  auto fits = [&](const TegulaTraceRange &range) {
    if (range.space > TegulaTraceShared || range.size == 0)
      return false;
    return int64_t(range.begin) + range.size <= sizes[range.space];
  };
  if (op.numReads > std::size(op.reads) || op.numWrites > std::size(op.writes))
    return refuse("an operation has too many ranges"), false;
  for (unsigned range = 0; range < op.numReads + op.numWrites; ++range) {
    const TegulaTraceRange &used =
        range < op.numReads ? op.reads[range] : op.writes[range - op.numReads];
    if (!fits(used))
      return refuse(llvm::formatv(
                 "bytes {0} to {1} of memory {2} are not "
                 "there: it has {3}",
                 used.begin, int64_t(used.begin) + used.size, used.space,
                 used.space < std::size(sizes) ? sizes[used.space] : 0)),
             false;
  }
  bool isTransfer = op.kind == TegulaTraceLoad || op.kind == TegulaTraceStore;
  if (isTransfer && (op.rows < 1 || op.planes < 1 || op.rowBytes < 1 ||
                     op.tensor < 0 || op.tensor >= kernel.numTensors))
    return refuse("a transfer of no bytes, or of no tensor"), false;
  if (isTransfer && (op.peer < 0 || op.peer > shared.memory.getNumChips()))
    return refuse("a transfer from or to no rank"), false;
  bool isMatrix = op.kind == TegulaTraceMultiply;
  if (isMatrix && (op.rows < 1 || op.columns < 1 || op.depth < 1))
    return refuse("a matmul of no elements"), false;
  bool takesLoaded = isMatrix && (op.flags & TegulaTraceWeightsLoaded);
  if (takesLoaded && loadedWeights.empty())
    return refuse("a matmul finds no loaded weights"), false;
  if (op.kind == TegulaTraceLoadWeights && machine.arraysPerCore == 0)
    return refuse("there is no array to load weights into"), false;
  if (op.kind == TegulaTraceVector &&
      (op.formula < 0 || op.formula >= kernel.numFormulas))
    return refuse("a vector region has no formula"), false;
  if (op.kind > TegulaTraceWait)
    return refuse(llvm::formatv("operation {0} is unknown", op.kind)), false;
  return true;
}
