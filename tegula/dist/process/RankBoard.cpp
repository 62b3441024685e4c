// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/process/RankBoard.h"

#include "tegula/dist/process/RankReporter.h"

#include <cstring>

using namespace tegula;

Problem RankBoard::open() {
  int64_t rows = isDirect() ? 1 : getCount();
  return process.transport->createSegment(
      sizeof(RankDoor) + rows * sizeof(RankRow), SegmentKind::PerRank, board);
}

RankRow &RankBoard::rowOf(int64_t rank) const {
  char *rows = board.parts[isDirect() ? rank : getRank()] + sizeof(RankDoor);
  return reinterpret_cast<RankRow *>(rows)[isDirect() ? 0 : rank];
}

RankDoor &RankBoard::doorOf(int64_t rank) const {
  return *reinterpret_cast<RankDoor *>(board.parts[rank]);
}

RemoteBox RankBoard::updatingOf(int64_t rank) const {
  return {board.number, rank, offsetof(RankDoor, updating),
          {},           {},   sizeof(int32_t)};
}

void RankBoard::publishText(const std::string &text) {
  RankRow &row = ownRow();
  std::strncpy(row.text, text.c_str(), sizeof(row.text) - 1);
  if (!isDirect())
    sendRow(offsetof(RankRow, text), sizeof(RankRow));
}

void RankBoard::publish() {
  RankRow &row = ownRow();
  row.changes.fetch_add(1);
  if (!isDirect()) {
    std::lock_guard<std::mutex> guard(sending);
    // The words that others wait for come last.
    sendRow(offsetof(RankRow, arrivals), offsetof(RankRow, text));
    sendRow(0, offsetof(RankRow, arrivals));
  } else if (doorOf(getRank()).sleepers.load() > 0) {
    wakeAll(row.changes);
  }
}

void RankBoard::sendRow(int64_t begin, int64_t end) {
  char *row = reinterpret_cast<char *>(&ownRow());
  int64_t offset = row + begin - board.parts[getRank()];
  const int64_t size = end - begin, stride = 1;
  for (int64_t peer = 0; peer < getCount(); ++peer)
    if (peer != getRank())
      if (Problem problem = process.messages->write(
              {board.number, peer, offset, size, stride, 1}, row + begin))
        reporter.noteProblem(problem);
}

static void raise(LongWord &word, uint64_t value) {
  uint64_t before = word.load();
  while (before < value && !word.compare_exchange_weak(before, value))
    ;
}

/// A row is sent to one rank after the other, so some rank may have acted upon
/// what is still on its way to this one. Looks where rows are written; what
/// arrives meanwhile is not overwritten by what is older.
void RankBoard::readRow(int64_t rank) {
  RankRow seen = {};
  int64_t offset = sizeof(RankDoor) + rank * sizeof(RankRow);
  auto read = [&](int64_t begin, int64_t end) {
    const int64_t size = end - begin, stride = 1;
    return !process.messages->read(
        {board.number, rank, offset + begin, size, stride, 1},
        reinterpret_cast<char *>(&seen) + begin);
  };
  // The words that say what is there come first.
  if (!read(0, offsetof(RankRow, arrivals)) ||
      !read(offsetof(RankRow, arrivals), offsetof(RankRow, text)))
    return;
  RankRow &row = rowOf(rank);
  // Until this rank goes on, the other cannot bring anything else there.
  if (seen.barrier.load() >= makeMoment(process.call, process.barriers))
    arrivalOf(rank) = seen.arrivals[process.call % 2][process.barriers % 2];
  if (seen.failedCall.load() == process.call)
    row.failure = seen.failure;
  for (LongWord RankRow::*word :
       {&RankRow::progress, &RankRow::barrier, &RankRow::ended, &RankRow::ready,
        &RankRow::failedCall})
    raise(row.*word, (seen.*word).load());
}

void RankBoard::readRows() {
  for (int64_t rank = 0; rank < getCount(); ++rank)
    // Who left has sent all before.
    if (rank != getRank() && !isDoing(rank, RankState::Doing::Left))
      readRow(rank);
}
