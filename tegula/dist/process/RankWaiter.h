// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a rank waits for others, and how it finds out that it need not.

#ifndef TEGULA_DIST_PROCESS_RANKWAITER_H
#define TEGULA_DIST_PROCESS_RANKWAITER_H

#include "tegula/dist/control/RankLiveness.h"
#include "tegula/dist/process/RankReporter.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace tegula {

class RankWaiter : ProcessPart {
public:
  /// There are so many processes on this machine that run at once.
  RankWaiter(ProcessState &process, RankBoard &board, RankReporter &reporter,
             int64_t numProcesses)
      : ProcessPart(process), board(board), reporter(reporter),
        patience(Patience::amongRunning(numProcesses)) {}

  /// A word to sleep on, and where it is counted who sleeps; null if whoever
  /// changes the word wakes in any case.
  struct Sleep {
    Word &word;
    Word *sleepers;
  };
  using IsDone = llvm::function_ref<bool()>;
  using Describe = llvm::function_ref<RankState()>;

  /// Begins to watch the processes of the other ranks, as their rows have them.
  void watchProcesses();
  /// Limits how long this rank waits for another that works, in nanoseconds;
  /// 0 for no limit.
  void setLimit(int64_t nanoseconds) { limit = nanoseconds; }

  /// Waits until something is done; false if it will not be.
  bool await(Sleep sleep, IsDone isDone, Describe describe,
             CallLocation location);
  /// Waits until a rank has come so far.
  bool awaitRow(int64_t rank, const LongWord RankRow::*word, uint64_t moment,
                RankState::Awaited awaited, CallLocation location);

private:
  /// How long one still waits, and what the others had done when that was last
  /// decided.
  struct Watch {
    int64_t end;
    /// When one gives up in any case.
    int64_t last;
    std::vector<int64_t> times;
  };

  bool awaitLong(Sleep sleep, IsDone isDone, Describe describe,
                 CallLocation location);
  void sleepBriefly(Sleep sleep, IsDone isDone, int64_t iteration);
  RankTrouble findTrouble(Watch &watch);
  bool someoneWorks(Watch &watch) const;

  RankBoard &board;
  RankReporter &reporter;
  Patience patience;
  RankLiveness liveness;
  int64_t limit = 0;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_RANKWAITER_H
