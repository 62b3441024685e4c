// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/RankReporter.h"

#include "tegula/dist/process/RankBoard.h"

using namespace tegula;

void RankReporter::fail(CallLocation location) {
  RankRow &row = board.ownRow();
  {
    std::lock_guard<std::mutex> guard(reporting);
    if (row.failedCall == process.call)
      return;
    process.isInCall = true;
    row.failure = *location.state;
    row.failedCall = process.call;
    board.setDoing(RankState::Doing::Failed);
  }
  board.publish();
}

void RankReporter::recordProblem(Problem problem, CallLocation location) {
  noteProblem(problem);
  take();
  location.report(TegulaTransportFailed, 0);
  fail(location);
}

void RankReporter::noteProblem(const Problem &problem) {
  std::lock_guard<std::mutex> guard(reporting);
  words = problem.getText();
}

void RankReporter::beginWaiting() {
  std::lock_guard<std::mutex> guard(reporting);
  ++numWaiting;
  board.setDoing(RankState::Doing::Waiting);
}

void RankReporter::writeWaiting(const RankState &state, int64_t since) {
  std::lock_guard<std::mutex> guard(reporting);
  board.ownRow().waiting = state;
  board.ownRow().since = since;
}

/// A rank waits while one of its threads does.
void RankReporter::endWaiting() {
  std::lock_guard<std::mutex> guard(reporting);
  if (--numWaiting == 0)
    board.setDoing(RankState::Doing::Running);
}

RankTrouble RankReporter::findFailure() const {
  RankTrouble found;
  for (int64_t rank = 0; rank < getCount(); ++rank) {
    const RankRow &row = board.rowOf(rank);
    if (rank == getRank() || row.failedCall.load() != process.call)
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

void RankReporter::take() {
  RankReport taken;
  int64_t now = readClock();
  std::lock_guard<std::mutex> guard(reporting);
  for (int64_t rank = 0; rank < getCount(); ++rank) {
    const RankRow &row = board.rowOf(rank);
    RankState state = row.waiting;
    state.doing = static_cast<RankState::Doing>(row.doing.load());
    if (state.doing == RankState::Doing::Failed)
      state.site = row.failure.site;
    if (rank == process.lost && state.doing != RankState::Doing::Left)
      state.doing = RankState::Doing::Lost;
    state.milliseconds = (now - row.since) / 1000000;
    taken.ranks.push_back(state);
  }
  if (RankTrouble failure = findFailure(); failure.kind != TegulaNoError)
    taken.cause = board.rowOf(failure.index).failure;
  taken.words = words;
  seen = std::move(taken);
}

RankReport RankReporter::report() const {
  std::lock_guard<std::mutex> guard(reporting);
  return seen;
}
