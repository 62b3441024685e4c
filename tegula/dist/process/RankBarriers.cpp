// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/RankBarriers.h"

#include "tegula/dist/process/RankBoard.h"
#include "tegula/dist/process/RankReporter.h"
#include "tegula/dist/process/RankWaiter.h"

#include <algorithm>

using namespace tegula;

uint64_t RankBarriers::come(Arrival own) {
  uint64_t moment = makeMoment(process.call, ++process.barriers);
  board.arrivalOf(getRank()) = own;
  board.ownRow().barrier.store(moment);
  board.publish();
  return moment;
}

bool RankBarriers::arrive(Arrival own, RankState::Awaited awaited,
                          CallLocation location) {
  uint64_t moment = come(own);
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (rank != getRank() &&
        !waiter.awaitRow(rank, &RankRow::barrier, moment, awaited, location))
      return false;
  for (int64_t rank = 0; rank < getCount(); ++rank) {
    const Arrival &other = board.arrivalOf(rank);
    if (other.what == own.what)
      continue;
    reporter.take();
    location.report(TegulaRanksDisagree, rank,
                    other.what == OwnBarrier::End ? -1 : other.site);
    reporter.fail(location);
    return false;
  }
  return true;
}

bool RankBarriers::exchange(Arrival own, CallLocation location,
                            int64_t &least) {
  if (!arrive(own, RankState::Awaited::Barrier, location))
    return false;
  least = own.value;
  for (int64_t rank = 0; rank < getCount(); ++rank)
    least = std::min(least, board.arrivalOf(rank).value);
  return true;
}

Problem RankBarriers::agree(const std::string &text, CallLocation location) {
  board.publishText(text);
  Arrival own = {OwnBarrier::Agreement,
                 static_cast<int64_t>(std::hash<std::string>()(text)), -1};
  if (!arrive(own, RankState::Awaited::Barrier, location))
    return describeRankProblem(*location.state, {}, reporter.report());
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (board.arrivalOf(rank).value != own.value) {
      location.report(TegulaRanksDisagree, rank, -1);
      reporter.fail(location);
      return makeProblem(Problem::Kind::Call,
                         "ranks call different things: rank {0} calls {1}, "
                         "rank {2} calls {3}",
                         getRank(), board.ownRow().text, rank,
                         board.rowOf(rank).text);
    }
  return {};
}
