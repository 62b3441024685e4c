// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Barriers of all ranks, to which each brings a word of its own.

#ifndef TEGULA_DIST_PROCESS_RANKBARRIERS_H
#define TEGULA_DIST_PROCESS_RANKBARRIERS_H

#include "tegula/dist/control/RankRow.h"
#include "tegula/dist/process/ProcessPart.h"
#include "tegula/launch/ranks/RankGroup.h"
#include <string>

namespace tegula {

class RankBoard;
class RankReporter;
class RankWaiter;

class RankBarriers : ProcessPart {
public:
  RankBarriers(ProcessState &process, RankBoard &board, RankReporter &reporter,
               RankWaiter &waiter)
      : ProcessPart(process), board(board), reporter(reporter), waiter(waiter) {
  }

  /// Brings something to the next barrier, and returns when that is.
  uint64_t come(Arrival own);
  /// Waits for the others there; false, with an error, if one is at another
  /// barrier or will not come.
  bool arrive(Arrival own, RankState::Awaited awaited, CallLocation location);
  /// The same, and the least value that a rank brought.
  bool exchange(Arrival own, CallLocation location, int64_t &least);
  /// Compares what each rank says that it calls.
  Problem agree(const std::string &text, CallLocation location);

private:
  RankBoard &board;
  RankReporter &reporter;
  RankWaiter &waiter;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_RANKBARRIERS_H
