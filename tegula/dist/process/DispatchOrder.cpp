// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/DispatchOrder.h"

#include "tegula/dist/memory/ReadCopies.h"
#include "tegula/dist/process/CallLifetime.h"
#include "tegula/dist/process/RankBoard.h"
#include "tegula/dist/process/RankReporter.h"
#include "tegula/dist/process/RankWaiter.h"
#include "tegula/dist/process/WindowMemory.h"

using namespace tegula;

bool DispatchOrder::isDone(const Dispatch &dispatch) const {
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (rank != getRank() && (dispatch.device == rank || dispatch.device < 0) &&
        board.rowOf(rank).progress.load() < dispatch.moment)
      return false;
  return true;
}

bool DispatchOrder::awaitDispatch(const Dispatch &dispatch,
                                  CallLocation location) {
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (rank != getRank() && (dispatch.device == rank || dispatch.device < 0) &&
        !waiter.awaitRow(rank, &RankRow::progress, dispatch.moment,
                         RankState::Awaited::Dispatch, location))
      return false;
  return true;
}

/// Forgets what no later dispatch has to wait for or fetch, so that few are to
/// be compared; if the table stays full, waits for the first one.
bool DispatchOrder::makeRoom(CallLocation location) {
  constexpr size_t few = 8;
  if (table.getAll().size() < few)
    return true;
  auto isOver = [&](const Dispatch &dispatch) {
    return (dispatch.isReceived || isDirect()) && isDone(dispatch);
  };
  table.forget(isOver);
  if (!table.isFull())
    return true;
  if (!awaitDispatch(table.getAll().front(), location))
    return false;
  const size_t first = 0;
  receive(first, location);
  table.forget(isOver);
  return location.state->error == TegulaNoError;
}

bool DispatchOrder::begin(int64_t device,
                          llvm::ArrayRef<TegulaTensorUse> tensors,
                          CallLocation location) {
  if (!lifetime.enter(location))
    return false;
  if (device < -1 || device >= getCount()) {
    location.report(TegulaNoSuchRank, device, getCount());
    reporter.fail(location);
    return false;
  }
  uint64_t moment = makeMoment(process.call, ++process.dispatches);
  bool isOwn = device < 0 || device == getRank();
  if (getCount() == 1)
    return true;
  if (!makeRoom(location))
    return false;
  std::vector<DispatchUse> uses(tensors.begin(), tensors.end());
  if (isOwn && !table.isEmpty()) {
    std::vector<size_t> before = table.findConflicts(uses);
    for (size_t index : before)
      if (!awaitDispatch(table.getAll()[index], location))
        return false;
    receive(before, location);
  }
  // What all write, each has written itself.
  if (device != getRank() && !uses.empty())
    table.add({moment, device, std::move(uses), device < 0});
  if (isOwn && process.recorder)
    dispatchStart = readClock();
  return isOwn && location.state->error == TegulaNoError;
}

void DispatchOrder::end(CallLocation location) {
  ReadCopies::ofThread().forget();
  if (!lifetime.enter(location))
    return;
  if (process.recorder)
    process.recorder->add({RankEvent::Kind::Dispatch, location.site,
                           dispatchStart, readClock(), -1, 0});
  board.ownRow().progress.store(makeMoment(process.call, process.dispatches));
  board.publish();
}

void DispatchOrder::receive(llvm::ArrayRef<size_t> needed,
                            CallLocation location) {
  if (isDirect())
    return;
  for (size_t index : table.findUnreceived(needed)) {
    Dispatch &dispatch = table.getAll()[index];
    // Earlier ones that wrote the same may be of a rank not waited for yet.
    if (!awaitDispatch(dispatch, location))
      return;
    for (const DispatchUse &use : dispatch.uses)
      if (use.writes)
        receiveUse(use, dispatch.device, location);
    dispatch.isReceived = true;
  }
}

void DispatchOrder::receiveAll(CallLocation location) {
  std::vector<size_t> all(isDirect() ? 0 : table.getAll().size());
  for (size_t index = 0; index < all.size(); ++index)
    all[index] = index;
  receive(all, location);
}

void DispatchOrder::receiveUse(const DispatchUse &use, int64_t from,
                               CallLocation location) {
  if (use.range.isEmpty() ||
      memory.isMapped(reinterpret_cast<void *>(use.range.low)))
    return;
  int64_t start = process.recorder ? readClock() : 0;
  auto *low = reinterpret_cast<char *>(use.range.low);
  SymmetricHeap::Location tensor = memory.findShared(low);
  if (!tensor) {
    location.report(TegulaNotAWindow, 0);
    return reporter.fail(location);
  }
  int64_t bytes = use.range.high - use.range.low;
  const int64_t one = 1;
  Problem problem;
  if (isHalfByte(use.view.dtype)) {
    problem = process.messages->read(
        {tensor.segment->number, from, tensor.offset, bytes, one, 1}, low);
  } else {
    auto *data = static_cast<char *>(use.view.data);
    int64_t size = getSize(use.view.dtype);
    std::vector<int64_t> strides;
    for (int64_t stride : use.view.getStrides())
      strides.push_back(stride * size);
    problem = process.messages->read({tensor.segment->number, from,
                                      tensor.offset + (data - low),
                                      use.view.getSizes(), strides, size},
                                     data);
  }
  if (problem)
    return reporter.recordProblem(std::move(problem), location);
  if (process.recorder)
    process.recorder->add({RankEvent::Kind::Read, location.site, start,
                           readClock(), from, bytes});
}
