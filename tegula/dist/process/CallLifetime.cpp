// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/CallLifetime.h"

#include "tegula/dist/process/DispatchOrder.h"
#include "tegula/dist/process/RankBarriers.h"
#include "tegula/dist/process/RankBoard.h"
#include "tegula/dist/process/RankReporter.h"
#include "tegula/dist/process/RankWaiter.h"
#include "tegula/dist/process/WindowMemory.h"

using namespace tegula;

bool CallLifetime::enter(CallLocation location) {
  if (location.state->error != TegulaNoError) {
    reporter.fail(location);
    return false;
  }
  return process.isInCall || begin(location);
}

bool CallLifetime::begin(CallLocation location) {
  if (process.lost >= 0) {
    reporter.take();
    location.report(TegulaRankLost, process.lost);
    return false;
  }
  process.isInCall = true;
  board.setDoing(RankState::Doing::Running);
  auto awaitAll = [&](LongWord RankRow::*word, uint64_t moment) {
    for (int64_t rank = 0; rank < getCount(); ++rank)
      if (!waiter.awaitRow(rank, word, moment, RankState::Awaited::HostEnd,
                           location))
        return false;
    return true;
  };
  if (isUnclean) {
    if (!awaitAll(&RankRow::ended, process.call - 1))
      return false;
    clean();
  }
  return awaitAll(&RankRow::ready, process.call);
}

/// Everybody has ended the last call.
void CallLifetime::clean() {
  memory.release();
  // Whoever failed may have kept it.
  board.doorOf(getRank()).updating = 0;
  isUnclean = false;
  board.ownRow().ready = process.call;
  board.publish();
}

void CallLifetime::tidy() {
  if (!isUnclean || process.isInCall)
    return;
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (board.rowOf(rank).ended.load() < process.call - 1)
      return;
  clean();
}

void CallLifetime::finish(CallLocation location) {
  RankRow &row = board.ownRow();
  retainsMemory = false;
  if (location.state->error != TegulaNoError)
    reporter.fail(location);
  else if (!process.isInCall)
    return;
  // Without a barrier at the end others may still use windows of this rank.
  isUnclean =
      row.failedCall == process.call || (endsAlone() && memory.hasWindows());
  process.isInCall = false;
  dispatchOrder.clear();
  process.barriers = process.dispatches = 0;
  if (!isUnclean) {
    memory.release();
    row.ready = process.call + 1;
  }
  row.ended = process.call++;
  board.setDoing(RankState::Doing::Idle);
  board.publish();
}

void CallLifetime::endHost(CallLocation location) {
  if (enter(location))
    awaitEnd(location);
  if (!retainsMemory)
    finish(location);
}

void CallLifetime::awaitEnd(CallLocation location) {
  const Arrival own = {OwnBarrier::End, 0, location.site};
  if (endsAlone()) {
    barriers.come(own);
    return;
  }
  if (barriers.arrive(own, RankState::Awaited::HostEnd, location))
    dispatchOrder.receiveAll(location);
}
