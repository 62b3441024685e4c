// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a controller learns what its ranks did.

#include "tegula/dist/control/Controller.h"

using namespace tegula;

Problem Controller::record(bool isWanted) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  isRecording = isWanted;
  if (Problem problem = ensureRanks())
    return problem;
  file.getHeader().slots[0] = isWanted;
  return command(RankCommand::Record);
}

Problem Controller::takeEvents(RankEvents &events) {
  std::lock_guard<std::recursive_mutex> guard(lock);
  if (Problem problem = ensureRanks())
    return problem;
  if (Problem problem = command(RankCommand::Count))
    return problem;
  return copyEvents(events);
}

Problem Controller::copyEvents(RankEvents &events) {
  ControlHeader &header = file.getHeader();
  int64_t total = 0;
  for (int64_t rank = 0; rank < getNumRanks(); ++rank)
    total += header.workers[rank].numEvents;
  int64_t offset = takeMemory(total * sizeof(RankEvent));
  if (offset < 0)
    return Problem(Problem::Kind::System, "no memory for events of ranks");
  for (int64_t rank = 0, next = offset; rank < getNumRanks(); ++rank) {
    header.slots[rank] = next;
    next += header.workers[rank].numEvents * sizeof(RankEvent);
  }
  Problem problem = command(RankCommand::Copy);
  events.clear();
  for (int64_t rank = 0; rank < getNumRanks() && !problem; ++rank) {
    auto *copied = reinterpret_cast<const RankEvent *>(file.getArena() +
                                                       header.slots[rank]);
    events.emplace_back(copied, copied + header.workers[rank].numEvents);
  }
  arena.free(offset);
  return problem;
}
