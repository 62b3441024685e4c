// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of a call, and barriers.

#include "tegula/dist/ProcessRanks.h"
#include "tegula/dist/ReadCopies.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

using namespace tegula;

ProcessRanks::ProcessRanks(std::unique_ptr<Transport> transport,
                           Options options)
    : RankGroup(transport->getRank(), transport->getCount()),
      transport(std::move(transport)), messages(this->transport->getMessages()),
      patience(Patience::amongRunning(this->transport->getLocalCount() +
                                      options.hasController)),
      hasController(options.hasController) {}

Problem ProcessRanks::create(std::unique_ptr<Transport> transport,
                             Options options,
                             std::unique_ptr<ProcessRanks> &ranks) {
  std::unique_ptr<ProcessRanks> made(
      new ProcessRanks(std::move(transport), options));
  if (Problem problem = made->start())
    return problem;
  ranks = std::move(made);
  return {};
}

Problem ProcessRanks::start() {
  int64_t rows = isDirect() ? 1 : getCount();
  if (Problem problem =
          transport->createSegment(sizeof(RankDoor) + rows * sizeof(RankRow),
                                   SegmentKind::PerRank, board))
    return problem;
  transport->setLeaving(
      [](void *ranks) { static_cast<ProcessRanks *>(ranks)->leave(); }, this);
  RankRow &row = ownRow();
  row.pid = ::getpid();
  row.ready = call + 1;
  TegulaCallState state = {};
  isInCall = true;
  bool isThere = arrive({OwnBarrier::Start, 0, -1}, RankState::Awaited::Barrier,
                        {&state, -1});
  isInCall = false;
  row.doing = static_cast<uint32_t>(RankState::Doing::Idle);
  row.ended = call++;
  barriers = 0;
  if (!isThere)
    return describeRankProblem(state, {}, report());
  for (int64_t rank = 0; rank < getCount(); ++rank)
    liveness.add(isDirect() && rank != getRank() ? rowOf(rank).pid : -1);
  return {};
}

ProcessRanks::~ProcessRanks() {
  leave();
  transport->setLeaving(nullptr, nullptr);
}

void ProcessRanks::leave() {
  if (hasLeft || transport->isOver())
    return;
  hasLeft = true;
  ownRow().doing = static_cast<uint32_t>(RankState::Doing::Left);
  publish();
}

RankRow &ProcessRanks::rowOf(int64_t rank) const {
  char *rows = board.parts[isDirect() ? rank : getRank()] + sizeof(RankDoor);
  return reinterpret_cast<RankRow *>(rows)[isDirect() ? 0 : rank];
}

RankDoor &ProcessRanks::doorOf(int64_t rank) const {
  return *reinterpret_cast<RankDoor *>(board.parts[rank]);
}

bool ProcessRanks::enter(CallLocation location) {
  if (location.state->error != TegulaNoError) {
    markFailed(location);
    return false;
  }
  return isInCall || begin(location);
}

bool ProcessRanks::begin(CallLocation location) {
  if (lost >= 0) {
    takeReport();
    location.report(TegulaRankLost, lost);
    return false;
  }
  isInCall = true;
  RankRow &row = ownRow();
  row.doing = static_cast<uint32_t>(RankState::Doing::Running);
  auto awaitAll = [&](LongWord RankRow::*word, uint64_t moment) {
    for (int64_t rank = 0; rank < getCount(); ++rank)
      if (!awaitRow(rank, word, moment, RankState::Awaited::HostEnd, location))
        return false;
    return true;
  };
  if (isUnclean) {
    if (!awaitAll(&RankRow::ended, call - 1))
      return false;
    clean();
  }
  return awaitAll(&RankRow::ready, call);
}

/// Everybody has ended the last call.
void ProcessRanks::clean() {
  windows.clear(getRank());
  windows.release();
  shared.release();
  // Whoever failed may have kept it.
  doorOf(getRank()).updating = 0;
  isUnclean = false;
  ownRow().ready = call;
  publish();
}

void ProcessRanks::tidy() {
  if (!isUnclean || isInCall)
    return;
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (rowOf(rank).ended.load() < call - 1)
      return;
  clean();
}

void ProcessRanks::finish(CallLocation location) {
  RankRow &row = ownRow();
  retainsMemory = false;
  if (location.state->error != TegulaNoError)
    markFailed(location);
  else if (!isInCall)
    return;
  // Without a barrier at the end others may still use windows of this rank.
  isUnclean = row.failedCall == call || (endsAlone() && !windows.isEmpty());
  isInCall = false;
  table.clear();
  barriers = dispatches = 0;
  if (!isUnclean) {
    windows.clear(getRank());
    windows.release();
    shared.release();
    row.ready = call + 1;
  }
  row.ended = call++;
  row.doing = static_cast<uint32_t>(RankState::Doing::Idle);
  publish();
}

void ProcessRanks::markFailed(CallLocation location) {
  RankRow &row = ownRow();
  {
    std::lock_guard<std::mutex> guard(reporting);
    if (row.failedCall == call)
      return;
    isInCall = true;
    row.failure = *location.state;
    row.failedCall = call;
    row.doing = static_cast<uint32_t>(RankState::Doing::Failed);
  }
  publish();
}

void ProcessRanks::recordProblem(Problem problem, CallLocation location) {
  {
    std::lock_guard<std::mutex> guard(reporting);
    words = problem.getText();
  }
  takeReport();
  location.report(TegulaTransportFailed, 0);
  markFailed(location);
}

uint64_t ProcessRanks::come(Arrival own) {
  uint64_t moment = makeMoment(call, ++barriers);
  arrivalOf(getRank()) = own;
  ownRow().barrier.store(moment);
  publish();
  return moment;
}

bool ProcessRanks::arrive(Arrival own, RankState::Awaited awaited,
                          CallLocation location) {
  uint64_t moment = come(own);
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (rank != getRank() &&
        !awaitRow(rank, &RankRow::barrier, moment, awaited, location))
      return false;
  for (int64_t rank = 0; rank < getCount(); ++rank) {
    const Arrival &other = arrivalOf(rank);
    if (other.what == own.what)
      continue;
    takeReport();
    location.report(TegulaRanksDisagree, rank,
                    other.what == OwnBarrier::End ? -1 : other.site);
    markFailed(location);
    return false;
  }
  return true;
}

bool ProcessRanks::exchange(Arrival own, CallLocation location,
                            int64_t &least) {
  if (!arrive(own, RankState::Awaited::Barrier, location))
    return false;
  least = own.value;
  for (int64_t rank = 0; rank < getCount(); ++rank)
    least = std::min(least, arrivalOf(rank).value);
  return true;
}

void ProcessRanks::barrier(int64_t what, CallLocation location) {
  ReadCopies::ofThread().forget();
  if (enter(location))
    arrive({what, 0, location.site}, RankState::Awaited::Barrier, location);
}

void ProcessRanks::endHost(CallLocation location) {
  ReadCopies::ofThread().forget();
  if (enter(location))
    awaitEnd(location);
  if (!retainsMemory)
    finish(location);
}

void ProcessRanks::awaitEnd(CallLocation location) {
  const Arrival own = {OwnBarrier::End, 0, location.site};
  if (endsAlone()) {
    come(own);
    return;
  }
  if (!arrive(own, RankState::Awaited::HostEnd, location))
    return;
  std::vector<size_t> all(isDirect() ? 0 : table.getAll().size());
  for (size_t index = 0; index < all.size(); ++index)
    all[index] = index;
  receive(all, location);
}

Problem ProcessRanks::agree(const std::string &text, CallLocation location) {
  if (!enter(location))
    return describeRankProblem(*location.state, {}, report());
  RankRow &row = ownRow();
  std::strncpy(row.text, text.c_str(), sizeof(row.text) - 1);
  if (!isDirect())
    sendRow(offsetof(RankRow, text), sizeof(RankRow));
  Arrival own = {OwnBarrier::Agreement,
                 static_cast<int64_t>(std::hash<std::string>()(text)), -1};
  if (!arrive(own, RankState::Awaited::Barrier, location))
    return describeRankProblem(*location.state, {}, report());
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (arrivalOf(rank).value != own.value) {
      location.report(TegulaRanksDisagree, rank, -1);
      markFailed(location);
      return makeProblem(Problem::Kind::Call,
                         "ranks call different things: rank {0} calls {1}, "
                         "rank {2} calls {3}",
                         getRank(), row.text, rank, rowOf(rank).text);
    }
  return {};
}
