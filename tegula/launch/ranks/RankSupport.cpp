// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C routines by which generated code reaches the ranks it runs on.

#include "tegula/launch/ranks/LocalRank.h"
#include "tegula/support/HostCallbacks.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <cstdlib>

using namespace tegula;

static std::atomic<RankGroup *> chosen = nullptr;

RankGroup &tegula::getRanks() {
  static LocalRank alone;
  RankGroup *group = chosen.load(std::memory_order_acquire);
  return group ? *group : alone;
}

RankGroup *tegula::chooseRanks(RankGroup *group) {
  return chosen.exchange(group);
}

int64_t tegula::getRankPatience() {
  static const int64_t seconds = [] {
    const char *text = std::getenv("TEGULA_RANKS_TIMEOUT");
    char *end = nullptr;
    int64_t number = text ? std::strtoll(text, &end, 10) : 30;
    return text && (end == text || number < 0) ? 30 : number;
  }();
  return seconds;
}

namespace {

/// What one thread has to wait for before its dispatch is done.
struct OpenDispatch {
  struct Wait {
    void *signal;
    int32_t expected;
    TegulaWaitKind kind;
    CallLocation location;
  };

  bool isOpen = false;
  std::vector<Wait> waits = {};
};

thread_local OpenDispatch current;

} // namespace

static PeerSlice makePart(void *own, int64_t peer, const int64_t *shape,
                          int64_t rank, int64_t elementBits, int32_t use) {
  llvm::ArrayRef<int64_t> all(shape, 2 * rank);
  return {own,
          peer,
          all.take_front(rank),
          all.drop_front(rank),
          elementBits,
          static_cast<TegulaPeerUse>(use)};
}

int64_t tegulaRank() { return getRanks().getRank(); }

int64_t tegulaRankCount() { return getRanks().getCount(); }

void *tegulaWindowAllocate(int64_t bytes, TegulaCallState *state,
                           int32_t site) {
  return getRanks().allocateWindow(bytes, {state, site});
}

void *tegulaSharedAllocate(int64_t bytes, TegulaCallState *state,
                           int32_t site) {
  return getRanks().allocateShared(bytes, {state, site});
}

static bool isEmpty(const PeerSlice &part) {
  return llvm::is_contained(part.sizes, 0);
}

void *tegulaPeerBegin(void *own, int64_t peer, const int64_t *shape,
                      int64_t rank, int64_t elementBits, int32_t use,
                      TegulaCallState *state, int32_t site) {
  PeerSlice part = makePart(own, peer, shape, rank, elementBits, use);
  // Nothing may lie anywhere, also where no window is.
  if (isEmpty(part) && peer >= 0 && peer < getRanks().getCount())
    return own;
  return getRanks().beginPeer(part, {state, site});
}

void tegulaPeerEnd(void *memory, void *own, int64_t peer, const int64_t *shape,
                   int64_t rank, int64_t elementBits, int32_t use,
                   TegulaCallState *state, int32_t site) {
  PeerSlice part = makePart(own, peer, shape, rank, elementBits, use);
  if (!isEmpty(part))
    getRanks().endPeer(memory, part, {state, site});
}

void tegulaNotify(void *own, int64_t peer, int32_t value, int32_t kind,
                  TegulaCallState *state, int32_t site) {
  getRanks().notify(own, peer, value, static_cast<TegulaNotifyKind>(kind),
                    {state, site});
}

void tegulaWait(void *own, int32_t expected, int32_t kind,
                TegulaCallState *state, int32_t site) {
  CallLocation location = {state, site};
  auto what = static_cast<TegulaWaitKind>(kind & ~TegulaWaitDeferred);
  if ((kind & TegulaWaitDeferred) && current.isOpen)
    current.waits.push_back({own, expected, what, location});
  else
    getRanks().wait(own, expected, what, location);
}

void tegulaMeet(int64_t what, TegulaCallState *state, int32_t site) {
  getRanks().barrier(what, {state, site});
}

int32_t tegulaDispatchBegin(int64_t device, const TegulaTensorUse *uses,
                            int64_t count, TegulaCallState *state,
                            int32_t site) {
  bool isMine = getRanks().beginDispatch(
      device, {uses, static_cast<size_t>(count)}, {state, site});
  current = {isMine};
  return isMine;
}

void tegulaDispatchEnd(TegulaCallState *state, int32_t site) {
  for (const OpenDispatch::Wait &wait : current.waits)
    getRanks().wait(wait.signal, wait.expected, wait.kind, wait.location);
  current = {};
  getRanks().endDispatch({state, site});
}

void tegulaCallback(int64_t name, const TegulaTensorUse *uses, int64_t count,
                    TegulaCallState *state, int32_t site) {
  std::vector<TensorView> tensors;
  for (const TegulaTensorUse &use :
       llvm::ArrayRef(uses, static_cast<size_t>(count))) {
    auto rank = static_cast<size_t>(use.rank);
    tensors.emplace_back(use.data, static_cast<DType>(use.dtype),
                         llvm::ArrayRef(use.shape, rank),
                         llvm::ArrayRef(use.shape + rank, rank));
  }
  if (state->error == TegulaNoError && !runHostCallback(name, tensors))
    tegulaReportError(state, TegulaUnmetRequirement, site, 0, 0, 0);
}

void tegulaHostEnd(TegulaCallState *state, int32_t site) {
  getRanks().endHost({state, site});
}
