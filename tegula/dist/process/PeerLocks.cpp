// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/PeerLocks.h"

#include "tegula/dist/process/RankBoard.h"
#include "tegula/dist/process/RankReporter.h"
#include "tegula/dist/process/RankWaiter.h"

using namespace tegula;

bool PeerLocks::lock(int64_t peer, CallLocation location) {
  auto describe = [&] {
    RankState state;
    state.awaited = RankState::Awaited::Update;
    state.site = location.site;
    state.of = peer;
    return state;
  };
  if (isDirect()) {
    Word &word = board.doorOf(peer).updating;
    uint32_t free = 0;
    // 2 says that somebody may sleep.
    return word.compare_exchange_strong(free, 1) ||
           waiter.await(
               {word, nullptr}, [&] { return word.exchange(2) == 0; }, describe,
               location);
  }
  RemoteBox word = board.updatingOf(peer);
  auto isTaken = [&] {
    int32_t found = 0;
    Problem problem = process.messages->replace(word, 0, 1, found);
    return problem || found == 0;
  };
  return waiter.await({board.ownRow().changes, nullptr}, isTaken, describe,
                      location);
}

void PeerLocks::unlock(int64_t peer, CallLocation location) {
  if (isDirect()) {
    Word &word = board.doorOf(peer).updating;
    if (word.exchange(0) == 2)
      wakeAll(word);
    return;
  }
  RemoteBox word = board.updatingOf(peer);
  if (Problem problem = process.messages->setTo(word, 0))
    reporter.recordProblem(std::move(problem), location);
}
