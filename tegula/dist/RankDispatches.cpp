// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dispatches a rank runs, what it waits for before, and what it fetches.

#include "tegula/dist/ProcessRanks.h"
#include "tegula/dist/ReadCopies.h"

using namespace tegula;

bool ProcessRanks::isDone(const Dispatch &dispatch) const {
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (rank != getRank() && (dispatch.device == rank || dispatch.device < 0) &&
        rowOf(rank).progress.load() < dispatch.moment)
      return false;
  return true;
}

bool ProcessRanks::awaitDispatch(const Dispatch &dispatch,
                                 CallLocation location) {
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (rank != getRank() && (dispatch.device == rank || dispatch.device < 0) &&
        !awaitRow(rank, &RankRow::progress, dispatch.moment,
                  RankState::Awaited::Dispatch, location))
      return false;
  return true;
}

/// Forgets what no later dispatch has to wait for or fetch, so that few are to
/// be compared; if the table stays full, waits for the first one.
bool ProcessRanks::makeRoom(CallLocation location) {
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

bool ProcessRanks::beginDispatch(int64_t device,
                                 llvm::ArrayRef<TegulaTensorUse> tensors,
                                 CallLocation location) {
  if (!enter(location))
    return false;
  if (device < -1 || device >= getCount()) {
    location.report(TegulaNoSuchRank, device, getCount());
    markFailed(location);
    return false;
  }
  uint64_t moment = makeMoment(call, ++dispatches);
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
  if (isOwn && recorder)
    dispatchStart = readClock();
  return isOwn && location.state->error == TegulaNoError;
}

void ProcessRanks::endDispatch(CallLocation location) {
  ReadCopies::ofThread().forget();
  if (!enter(location))
    return;
  if (recorder)
    recorder->add({RankEvent::Kind::Dispatch, location.site, dispatchStart,
                   readClock(), -1, 0});
  ownRow().progress.store(makeMoment(call, dispatches));
  publish();
}

void ProcessRanks::receive(llvm::ArrayRef<size_t> needed,
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

void ProcessRanks::receiveUse(const DispatchUse &use, int64_t from,
                              CallLocation location) {
  if (use.range.isEmpty() || isMapped(reinterpret_cast<void *>(use.range.low)))
    return;
  int64_t start = recorder ? readClock() : 0;
  auto *low = reinterpret_cast<char *>(use.range.low);
  SymmetricHeap::Location tensor = shared.find(low, getRank());
  if (!tensor) {
    location.report(TegulaNotAWindow, 0);
    return markFailed(location);
  }
  int64_t bytes = use.range.high - use.range.low;
  const int64_t one = 1;
  Problem problem;
  if (isHalfByte(use.view.dtype)) {
    problem = messages->read(
        {tensor.segment->number, from, tensor.offset, bytes, one, 1}, low);
  } else {
    auto *data = static_cast<char *>(use.view.data);
    int64_t size = getSize(use.view.dtype);
    std::vector<int64_t> strides;
    for (int64_t stride : use.view.getStrides())
      strides.push_back(stride * size);
    problem = messages->read({tensor.segment->number, from,
                              tensor.offset + (data - low), use.view.getSizes(),
                              strides, size},
                             data);
  }
  if (problem)
    return recordProblem(std::move(problem), location);
  if (recorder)
    recorder->add({RankEvent::Kind::Read, location.site, start, readClock(),
                   from, bytes});
}
