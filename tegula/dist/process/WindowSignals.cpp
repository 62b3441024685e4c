// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/WindowSignals.h"

#include "tegula/dist/memory/ReadCopies.h"
#include "tegula/dist/process/RankBoard.h"
#include "tegula/dist/process/RankReporter.h"
#include "tegula/dist/process/RankWaiter.h"
#include "tegula/dist/process/WindowMemory.h"

using namespace tegula;

void WindowSignals::notify(void *own, int64_t peer, int32_t value,
                           TegulaNotifyKind kind, CallLocation location) {
  ReadCopies::ofThread().forget();
  SymmetricHeap::Location window = memory.findWindow(own, peer, location);
  if (!window)
    return;
  if (memory.isReached(window)) {
    auto &signal =
        *reinterpret_cast<Word *>(window.segment->parts[peer] + window.offset);
    if (kind == TegulaNotifyAdd)
      signal.fetch_add(static_cast<uint32_t>(value));
    else
      signal.exchange(static_cast<uint32_t>(value));
    // Who is reached by process.messages looks again and again.
    if (isDirect() && board.doorOf(peer).signalSleepers.load() > 0)
      wakeAll(signal);
    return;
  }
  RemoteBox word = {window.segment->number, peer, window.offset, {}, {},
                    sizeof(int32_t)};
  if (Problem problem = kind == TegulaNotifyAdd
                            ? process.messages->addTo(word, value)
                            : process.messages->setTo(word, value))
    reporter.recordProblem(std::move(problem), location);
}

void WindowSignals::wait(void *own, int32_t expected, TegulaWaitKind kind,
                         CallLocation location) {
  ReadCopies::ofThread().forget();
  if (!memory.findWindow(own, getRank(), location))
    return;
  auto &signal = *static_cast<Word *>(own);
  bool isEqual = kind == TegulaWaitEqual;
  auto read = [&] { return static_cast<int32_t>(signal.load()); };
  auto isThere = [&] {
    int32_t now = read();
    return isEqual ? now == expected : now >= expected;
  };
  auto describe = [&] {
    RankState state;
    state.awaited = isEqual ? RankState::Awaited::SignalEqual
                            : RankState::Awaited::SignalAtLeast;
    state.site = location.site;
    state.now = read();
    state.wanted = expected;
    return state;
  };
  waiter.await({signal, &board.doorOf(getRank()).signalSleepers}, isThere,
               describe, location);
}
