// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a rank waits for others, and how it finds out that it need not.

#include "tegula/dist/ProcessRanks.h"
#include "tegula/dist/ProcessTime.h"

#include <time.h>

using namespace tegula;

/// How long a rank sleeps before it looks whether all still run.
static constexpr int64_t napMilliseconds = 20;
/// Patience is spent in two halves: whoever works in the second is waited for.
static constexpr int64_t halfSecond = 500000000;

bool ProcessRanks::await(Sleep sleep, IsDone isDone, Describe describe,
                         CallLocation location) {
  if (isDone())
    return true;
  int64_t start = recorder ? readClock() : 0;
  bool isThere = patience.wait([&] {
    if (!isDirect())
      messages->poll();
    return isDone();
  }) || awaitLong(sleep, isDone, describe, location);
  if (recorder)
    recorder->add({RankEvent::Kind::Wait, location.site, start, readClock(),
                   describe().of, 0});
  return isThere;
}

bool ProcessRanks::awaitLong(Sleep sleep, IsDone isDone, Describe describe,
                             CallLocation location) {
  int64_t start = readClock();
  Watch watch = {start + getRankPatience() * halfSecond,
                 limit == 0 ? INT64_MAX : start + limit,
                 {}};
  Trouble trouble;
  // Who cannot look is told of long waits only.
  constexpr int64_t manyIterations = 100;
  int64_t iteration = 0;
  beginWaiting();
  for (; !isDone(); ++iteration) {
    writeWaiting(describe(), start);
    if (!isDirect() && iteration == manyIterations)
      publish();
    sleepBriefly(sleep, isDone, iteration);
    if (isDone())
      break;
    trouble = findTrouble(watch);
    if (trouble.kind != TegulaNoError && !isDirect()) {
      readRows();
      trouble = findTrouble(watch);
    }
    // What came last may have come before the trouble.
    if (trouble.kind != TegulaNoError && !isDone())
      break;
    trouble = {};
  }
  // The report says that it waits, too.
  if (trouble.kind != TegulaNoError)
    takeReport();
  endWaiting();
  if (trouble.kind != TegulaNoError) {
    location.report(trouble.kind, trouble.index, trouble.extent);
    markFailed(location);
    return false;
  }
  if (!isDirect() && iteration > manyIterations)
    publish();
  return true;
}

void ProcessRanks::beginWaiting() {
  std::lock_guard<std::mutex> guard(reporting);
  ++numWaiting;
  ownRow().doing = static_cast<uint32_t>(RankState::Doing::Waiting);
}

void ProcessRanks::writeWaiting(const RankState &state, int64_t since) {
  std::lock_guard<std::mutex> guard(reporting);
  ownRow().waiting = state;
  ownRow().since = since;
}

/// A rank waits while one of its threads does.
void ProcessRanks::endWaiting() {
  std::lock_guard<std::mutex> guard(reporting);
  if (--numWaiting == 0)
    ownRow().doing = static_cast<uint32_t>(RankState::Doing::Running);
}

void ProcessRanks::sleepBriefly(Sleep sleep, IsDone isDone, int64_t iteration) {
  if (!isDirect()) {
    int64_t nanoseconds = iteration < 100   ? 20000
                          : iteration < 200 ? 500000
                                            : 10000000;
    timespec time = {0, nanoseconds};
    ::nanosleep(&time, nullptr);
    return messages->poll();
  }
  if (sleep.sleepers)
    sleep.sleepers->fetch_add(1);
  uint32_t value = sleep.word.load();
  if (!isDone())
    sleepOn(sleep.word, value, napMilliseconds);
  if (sleep.sleepers)
    sleep.sleepers->fetch_sub(1);
}

bool ProcessRanks::awaitRow(int64_t rank, const LongWord RankRow::*word,
                            uint64_t moment, RankState::Awaited awaited,
                            CallLocation location) {
  RankRow &row = rowOf(rank);
  auto describe = [&] {
    RankState state;
    state.awaited = awaited;
    state.site = location.site;
    state.of = rank;
    uint64_t now = (row.*word).load();
    state.now = callOf(now) == callOf(moment) ? numberOf(now) : 0;
    state.wanted = numberOf(moment);
    return state;
  };
  Word *sleepers = isDirect() ? &doorOf(rank).sleepers : nullptr;
  // Who fails stays at its moment until all have ended the call, so whoever has
  // come so far has done so rightly.
  return await(
      {row.changes, sleepers}, [&] { return (row.*word).load() >= moment; },
      describe, location);
}

ProcessRanks::Trouble ProcessRanks::findFailure() const {
  Trouble found;
  for (int64_t rank = 0; rank < getCount(); ++rank) {
    const RankRow &row = rowOf(rank);
    if (rank == getRank() || row.failedCall.load() != call)
      continue;
    // Who failed because another did says less.
    bool isFirst = row.failure.error != TegulaRankFailed;
    if (isFirst || found.kind == TegulaNoError)
      found = {TegulaRankFailed, rank};
    if (isFirst)
      break;
  }
  return found;
}

/// True if a rank that waits for nobody has used a core since the last time, or
/// it is the first time.
bool ProcessRanks::someoneWorks(Watch &watch) const {
  bool isFirst = watch.times.empty(), works = false;
  watch.times.resize(getCount());
  for (int64_t rank = 0; rank < getCount(); ++rank) {
    const RankRow &row = rowOf(rank);
    // Those of other machines cannot be looked at.
    int64_t time =
        isDirect() ? readProcessTime(row.pid) : watch.times[rank] + 1;
    bool isRunning =
        row.doing == static_cast<uint32_t>(RankState::Doing::Running);
    works |= isRunning && time > watch.times[rank];
    watch.times[rank] = time;
  }
  return works || isFirst;
}

ProcessRanks::Trouble ProcessRanks::findTrouble(Watch &watch) {
  if (lost < 0)
    lost = liveness.findEnded();
  if (lost >= 0)
    return {TegulaRankLost, lost};
  auto hasLeft = [&](int64_t rank) {
    return rowOf(rank).doing == static_cast<uint32_t>(RankState::Doing::Left);
  };
  // Who left because another failed is not to blame, and who has ended this
  // call owes nothing.
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (hasLeft(rank) && rowOf(rank).failedCall.load() != call &&
        rowOf(rank).ended.load() < call)
      return {TegulaRankLost, lost = rank};
  if (Trouble failure = findFailure(); failure.kind != TegulaNoError)
    return failure;
  if (readClock() > watch.last)
    return {TegulaWaitedTooLong, limit / (2 * halfSecond)};
  int64_t seconds = getRankPatience();
  if (seconds == 0 || readClock() < watch.end)
    return {};
  if (!someoneWorks(watch))
    return {TegulaWaitedTooLong, seconds};
  watch.end = readClock() + seconds * halfSecond;
  return {};
}

void ProcessRanks::takeReport() {
  RankReport taken;
  int64_t now = readClock();
  std::lock_guard<std::mutex> guard(reporting);
  for (int64_t rank = 0; rank < getCount(); ++rank) {
    const RankRow &row = rowOf(rank);
    RankState state = row.waiting;
    state.doing = static_cast<RankState::Doing>(row.doing.load());
    if (state.doing == RankState::Doing::Failed)
      state.site = row.failure.site;
    if (rank == lost && state.doing != RankState::Doing::Left)
      state.doing = RankState::Doing::Lost;
    state.milliseconds = (now - row.since) / 1000000;
    taken.ranks.push_back(state);
  }
  if (Trouble failure = findFailure(); failure.kind != TegulaNoError)
    taken.cause = rowOf(failure.index).failure;
  taken.words = words;
  seen = std::move(taken);
}

RankReport ProcessRanks::report() const {
  std::lock_guard<std::mutex> guard(reporting);
  return seen;
}
