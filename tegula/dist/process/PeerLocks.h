// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One lock for the memory of each rank: updates of others take it.

#ifndef TEGULA_DIST_PROCESS_PEERLOCKS_H
#define TEGULA_DIST_PROCESS_PEERLOCKS_H

#include "tegula/dist/process/ProcessPart.h"
#include "tegula/launch/ranks/RankGroup.h"

namespace tegula {

class RankBoard;
class RankReporter;
class RankWaiter;

class PeerLocks : ProcessPart {
public:
  PeerLocks(ProcessState &process, RankBoard &board, RankReporter &reporter,
            RankWaiter &waiter)
      : ProcessPart(process), board(board), reporter(reporter), waiter(waiter) {
  }

  /// False, with an error, if it will not be free.
  bool lock(int64_t peer, CallLocation location);
  void unlock(int64_t peer, CallLocation location);

private:
  RankBoard &board;
  RankReporter &reporter;
  RankWaiter &waiter;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_PEERLOCKS_H
