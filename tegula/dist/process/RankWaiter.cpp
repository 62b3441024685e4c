// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/RankWaiter.h"

#include "tegula/dist/control/ProcessTime.h"
#include "tegula/dist/process/RankBoard.h"
#include "tegula/dist/process/RankReporter.h"

#include <time.h>

using namespace tegula;

/// How long a rank sleeps before it looks whether all still run.
static constexpr int64_t napMilliseconds = 20;
/// Patience is spent in two halves: whoever works in the second is waited for.
static constexpr int64_t halfSecond = 500000000;

void RankWaiter::watchProcesses() {
  for (int64_t rank = 0; rank < getCount(); ++rank)
    liveness.add(isDirect() && rank != getRank() ? board.rowOf(rank).pid : -1);
}

bool RankWaiter::await(Sleep sleep, IsDone isDone, Describe describe,
                       CallLocation location) {
  if (isDone())
    return true;
  int64_t start = process.recorder ? readClock() : 0;
  bool isThere = patience.wait([&] {
    if (!isDirect())
      process.messages->poll();
    return isDone();
  }) || awaitLong(sleep, isDone, describe, location);
  if (process.recorder)
    process.recorder->add({RankEvent::Kind::Wait, location.site, start,
                           readClock(), describe().of, 0});
  return isThere;
}

bool RankWaiter::awaitLong(Sleep sleep, IsDone isDone, Describe describe,
                           CallLocation location) {
  int64_t start = readClock();
  Watch watch = {start + getRankPatience() * halfSecond,
                 limit == 0 ? INT64_MAX : start + limit,
                 {}};
  RankTrouble trouble;
  // Who cannot look is told of long waits only.
  constexpr int64_t manyIterations = 100;
  int64_t iteration = 0;
  reporter.beginWaiting();
  for (; !isDone(); ++iteration) {
    reporter.writeWaiting(describe(), start);
    if (!isDirect() && iteration == manyIterations)
      board.publish();
    sleepBriefly(sleep, isDone, iteration);
    if (isDone())
      break;
    trouble = findTrouble(watch);
    if (trouble.kind != TegulaNoError && !isDirect()) {
      board.readRows();
      trouble = findTrouble(watch);
    }
    // What came last may have come before the trouble.
    if (trouble.kind != TegulaNoError && !isDone())
      break;
    trouble = {};
  }
  // The report says that it waits, too.
  if (trouble.kind != TegulaNoError)
    reporter.take();
  reporter.endWaiting();
  if (trouble.kind != TegulaNoError) {
    location.report(trouble.kind, trouble.index, trouble.extent);
    reporter.fail(location);
    return false;
  }
  if (!isDirect() && iteration > manyIterations)
    board.publish();
  return true;
}

void RankWaiter::sleepBriefly(Sleep sleep, IsDone isDone, int64_t iteration) {
  if (!isDirect()) {
    int64_t nanoseconds = iteration < 100   ? 20000
                          : iteration < 200 ? 500000
                                            : 10000000;
    timespec time = {0, nanoseconds};
    ::nanosleep(&time, nullptr);
    return process.messages->poll();
  }
  if (sleep.sleepers)
    sleep.sleepers->fetch_add(1);
  uint32_t value = sleep.word.load();
  if (!isDone())
    sleepOn(sleep.word, value, napMilliseconds);
  if (sleep.sleepers)
    sleep.sleepers->fetch_sub(1);
}

bool RankWaiter::awaitRow(int64_t rank, const LongWord RankRow::*word,
                          uint64_t moment, RankState::Awaited awaited,
                          CallLocation location) {
  RankRow &row = board.rowOf(rank);
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
  Word *sleepers = isDirect() ? &board.doorOf(rank).sleepers : nullptr;
  // Who fails stays at its moment until all have ended the process.call, so
  // whoever has come so far has done so rightly.
  return await(
      {row.changes, sleepers}, [&] { return (row.*word).load() >= moment; },
      describe, location);
}

/// True if a rank that waits for nobody has used a core since the last time, or
/// it is the first time.
bool RankWaiter::someoneWorks(Watch &watch) const {
  bool isFirst = watch.times.empty(), works = false;
  watch.times.resize(getCount());
  for (int64_t rank = 0; rank < getCount(); ++rank) {
    const RankRow &row = board.rowOf(rank);
    // Those of other machines cannot be looked at.
    int64_t time =
        isDirect() ? readProcessTime(row.pid) : watch.times[rank] + 1;
    bool isRunning = board.isDoing(rank, RankState::Doing::Running);
    works |= isRunning && time > watch.times[rank];
    watch.times[rank] = time;
  }
  return works || isFirst;
}

RankTrouble RankWaiter::findTrouble(Watch &watch) {
  if (process.lost < 0)
    process.lost = liveness.findEnded();
  if (process.lost >= 0)
    return {TegulaRankLost, process.lost};
  // Who left because another failed is not to blame, and who has ended this
  // process.call owes nothing.
  for (int64_t rank = 0; rank < getCount(); ++rank)
    if (board.isDoing(rank, RankState::Doing::Left) &&
        board.rowOf(rank).failedCall.load() != process.call &&
        board.rowOf(rank).ended.load() < process.call)
      return {TegulaRankLost, process.lost = rank};
  if (RankTrouble failure = reporter.findFailure();
      failure.kind != TegulaNoError)
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
