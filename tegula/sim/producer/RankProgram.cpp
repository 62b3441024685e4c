// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/producer/RankProgram.h"

#include "tegula/support/BoxOverlap.h"
#include "tegula/support/HalfBytes.h"
#include "tegula/support/ReshapeStrides.h"

#include <algorithm>
#include <tuple>

using namespace tegula;
using namespace tegula::sim;

/// Signals that are not in windows are called by small numbers.
static constexpr int64_t barrierSignals = 0;
static constexpr int64_t dispatchSignals = 2;

void RankProgram::reset() {
  numBarriers = numDispatches = 0;
  lastUses.clear();
}

/// The first error of a call is kept.
static void report(TegulaCallState &state, TegulaErrorKind kind, int32_t site,
                   int64_t index, int64_t extent) {
  if (!state.error)
    state = {kind, site, 0, 0, index, extent};
}

static TegulaTraceOp makeNotify(int32_t line, int64_t signal, int64_t value,
                                bool isSet, int64_t peer) {
  TegulaTraceOp op{};
  op.kind = TegulaTraceNotify;
  op.flags = isSet ? TegulaTraceSet : 0;
  op.line = line;
  op.base = signal;
  op.rows = int32_t(value);
  op.peer = int32_t(peer + 1);
  return op;
}

static TegulaTraceOp makeWait(int32_t line, int64_t signal, int64_t expected,
                              bool isEqual) {
  TegulaTraceOp op{};
  op.kind = TegulaTraceWait;
  op.flags = isEqual ? TegulaTraceEqual : 0;
  op.line = line;
  op.base = signal;
  op.rows = int32_t(expected);
  return op;
}

/// Every rank is told.
static constexpr int64_t allRanks = -1;

bool RankProgram::isReachable(int64_t address, int64_t peer, int32_t site,
                              TegulaCallState &state) const {
  if (peer < 0 || peer >= count) {
    report(state, TegulaNoSuchRank, site, peer, count);
    return false;
  }
  if (!isWindow(address)) {
    report(state, TegulaNotAWindow, site, 0, 0);
    return false;
  }
  return true;
}

int64_t RankProgram::beginPeer(const int64_t *numbers, TegulaCallState &state) {
  int64_t own = numbers[0], peer = numbers[1], rankOfPart = numbers[3];
  const auto *sizes = reinterpret_cast<const int64_t *>(numbers[2]);
  bool isEmpty = std::find(sizes, sizes + rankOfPart, 0) != sizes + rankOfPart;
  bool isHalves = numbers[4] == 4;
  auto site = int32_t(numbers[6]);
  int64_t address = own;
  if (isHalves)
    address = reinterpret_cast<int64_t>(
        byteOfHalf(reinterpret_cast<const void *>(own)));
  // Nothing may lie anywhere, also where no window is.
  if (isEmpty && peer >= 0 && peer < count)
    return own;
  if (!isReachable(address, peer, site, state))
    return 0;
  if (peer == rank)
    return own;
  int64_t distance = atPeer(address, peer) - address;
  return own + (isHalves ? 2 * distance : distance);
}

/// The memory is never there, but where its elements lie is known.
static int64_t reshape(const int64_t *numbers, TegulaCallState &state) {
  auto *shape = reinterpret_cast<int64_t *>(numbers[1]);
  int64_t rank = numbers[2], newRank = numbers[3];
  auto site = int32_t(numbers[6]);
  auto fail = [&](TegulaErrorKind kind, int64_t have, int64_t want) {
    report(state, kind, site, have, want);
  };
  auto makeCopy = [](int64_t, const int64_t *, int64_t *) -> void * {
    return nullptr;
  };
  return reinterpret_cast<int64_t>(
      reshapeView(reinterpret_cast<void *>(numbers[0]), shape, rank, newRank,
                  /*mustAlias=*/true, fail, makeCopy));
}

void RankProgram::notify(const int64_t *numbers, TegulaCallState &state,
                         std::vector<TegulaTraceOp> &ops) {
  int64_t signal = numbers[1], peer = numbers[2];
  if (isReachable(signal, peer, int32_t(numbers[5]), state))
    ops.push_back(makeNotify(int32_t(numbers[0]), signal, numbers[3],
                             numbers[4] == TegulaNotifySet, peer));
}

void RankProgram::wait(const int64_t *numbers, TegulaCallState &state,
                       std::vector<TegulaTraceOp> &ops) {
  if (state.error || !isReachable(numbers[1], rank, int32_t(numbers[4]), state))
    return;
  int64_t kind = numbers[3];
  std::vector<TegulaTraceOp> &when =
      (kind & TegulaWaitDeferred) && isInDispatch ? deferred : ops;
  when.push_back(makeWait(int32_t(numbers[0]), numbers[1], numbers[2],
                          (kind & ~TegulaWaitDeferred) == TegulaWaitEqual));
}

/// All tell all that they are there. Two signals alternate: whoever comes to
/// the barrier after the next has heard of all at the next, who told of this
/// one before.
void RankProgram::barrier(int32_t line, std::vector<TegulaTraceOp> &ops) {
  if (count == 1)
    return;
  int64_t signal = barrierSignals + numBarriers % 2;
  int64_t expected = (numBarriers++ / 2 + 1) * count;
  ops.push_back(makeNotify(line, signal, 1, /*isSet=*/false, allRanks));
  ops.push_back(makeWait(line, signal, expected, /*isEqual=*/false));
}

RankProgram::Use::Use(int64_t rank, const TegulaTensorUse &use)
    : rank(rank), writes(use.writes != 0),
      address(reinterpret_cast<int64_t>(use.data)),
      elementBits(use.elementBits),
      shape(use.shape, use.shape + 2 * int64_t(use.rank)) {}

bool RankProgram::Use::operator<(const Use &other) const {
  return std::tie(rank, writes, address, elementBits, shape) <
         std::tie(other.rank, other.writes, other.address, other.elementBits,
                  other.shape);
}

std::pair<int64_t, int64_t> RankProgram::Use::findSpan() const {
  int64_t first = 0, last = 0;
  size_t numAxes = shape.size() / 2;
  for (size_t axis = 0; axis < numAxes; ++axis) {
    if (shape[axis] == 0)
      return {0, 0};
    int64_t reach = (shape[axis] - 1) * shape[numAxes + axis];
    (reach < 0 ? first : last) += reach;
  }
  // Addresses of halves count elements.
  int64_t bytes = elementBits == 4 ? 1 : elementBits / 8;
  return {address + first * bytes, address + (last + 1) * bytes};
}

bool RankProgram::Use::overlaps(const Use &other) const {
  auto [begin, end] = findSpan();
  auto [otherBegin, otherEnd] = other.findSpan();
  if (begin >= otherEnd || otherBegin >= end)
    return false;
  if (elementBits == 4 || other.elementBits == 4)
    return true;
  auto boxOf = [](const Use &use) {
    llvm::ArrayRef<int64_t> all = use.shape;
    return BoxOverlap::Box{use.address, use.elementBits / 8,
                           all.take_front(all.size() / 2),
                           all.drop_front(all.size() / 2)};
  };
  BoxOverlap::Box own = boxOf(*this), others = boxOf(other);
  BoxOverlap overlap(own, others);
  return !overlap.isApplicable() || overlap.exists();
}

bool RankProgram::beginDispatch(const int64_t *numbers, TegulaCallState &state,
                                std::vector<TegulaTraceOp> &ops) {
  int64_t device = numbers[1];
  if (device < -1 || device >= count)
    report(state, TegulaNoSuchRank, int32_t(numbers[4]), device, count);
  if (state.error)
    return false;
  ++numDispatches;
  bool isMine = device == -1 || device == rank;
  isInDispatch = isMine;
  if (count == 1)
    return true;
  const auto *uses = reinterpret_cast<const TegulaTensorUse *>(numbers[2]);
  std::map<int64_t, int64_t> awaited;
  for (int64_t index = 0; index < numbers[3]; ++index) {
    const Use own(rank, uses[index]);
    for (const auto &[use, number] : lastUses)
      if (use.rank != rank && (own.writes || use.writes) && own.overlaps(use))
        awaited[use.rank] = std::max(awaited[use.rank], number);
  }
  // What all do, all do by themselves.
  if (device != -1)
    for (int64_t index = 0; index < numbers[3]; ++index)
      lastUses[{device, uses[index]}] = numDispatches;
  if (isMine)
    for (auto [who, number] : awaited)
      ops.push_back(makeWait(int32_t(numbers[0]), dispatchSignals + who, number,
                             /*isEqual=*/false));
  return isMine;
}

void RankProgram::endDispatch(int32_t line, std::vector<TegulaTraceOp> &ops) {
  ops.insert(ops.end(), deferred.begin(), deferred.end());
  deferred.clear();
  isInDispatch = false;
  if (count > 1)
    ops.push_back(makeNotify(line, dispatchSignals + rank, numDispatches,
                             /*isSet=*/true, allRanks));
}

int64_t RankProgram::answer(int32_t question, const int64_t *numbers,
                            TegulaCallState &state,
                            std::vector<TegulaTraceOp> &ops) {
  auto line = int32_t(numbers[0]);
  switch (question) {
  case TegulaTraceRank:
    return rank;
  case TegulaTraceRankCount:
    return count;
  case TegulaTraceWindowAllocate:
    return tensors.allocateWindow(numbers[1]);
  case TegulaTraceSharedAllocate:
    return tensors.allocate(numbers[1]);
  case TegulaTracePeerBegin:
    return beginPeer(numbers + 1, state);
  case TegulaTraceNotifies:
    notify(numbers, state, ops);
    return 0;
  case TegulaTraceWaits:
    wait(numbers, state, ops);
    return 0;
  case TegulaTraceMeet:
    barrier(line, ops);
    return 0;
  case TegulaTraceDispatchBegin:
    return beginDispatch(numbers, state, ops);
  case TegulaTraceDispatchEnd:
    endDispatch(line, ops);
    return 0;
  case TegulaTraceReshapeView:
    return reshape(numbers + 1, state);
  default:
    return 0;
  }
}
