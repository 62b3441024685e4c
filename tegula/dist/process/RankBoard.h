// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The rows of words in which ranks tell the others of themselves, and look at
/// what they tell.

#ifndef TEGULA_DIST_PROCESS_RANKBOARD_H
#define TEGULA_DIST_PROCESS_RANKBOARD_H

#include "tegula/dist/control/RankRow.h"
#include "tegula/dist/process/ProcessPart.h"
#include <mutex>

namespace tegula {

class RankReporter;

class RankBoard : ProcessPart {
public:
  RankBoard(ProcessState &process, RankReporter &reporter)
      : ProcessPart(process), reporter(reporter) {}

  /// All ranks call it, before anything else.
  Problem open();

  RankRow &rowOf(int64_t rank) const;
  RankRow &ownRow() const { return rowOf(getRank()); }
  /// What a rank brings to the barrier that this one is at.
  Arrival &arrivalOf(int64_t rank) const {
    return rowOf(rank).arrivals[process.call % 2][process.barriers % 2];
  }
  /// The words of a rank that others write, if they are mapped.
  RankDoor &doorOf(int64_t rank) const;
  /// The lock of another rank that updates of its memory take, for messages.
  RemoteBox updatingOf(int64_t rank) const;

  void setDoing(RankState::Doing doing) {
    ownRow().doing = static_cast<uint32_t>(doing);
  }
  bool isDoing(int64_t rank, RankState::Doing doing) const {
    return rowOf(rank).doing == static_cast<uint32_t>(doing);
  }

  /// Says that the own row has changed.
  void publish();
  /// Says what this rank calls, before it comes to the barrier at which ranks
  /// compare that.
  void publishText(const std::string &text);
  /// Looks at the rows of others where they are written.
  void readRows();

private:
  void sendRow(int64_t begin, int64_t end);
  void readRow(int64_t rank);

  RankReporter &reporter;
  Segment board;
  /// Held while the row is sent: what is sent later must not be older.
  std::mutex sending;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_RANKBOARD_H
