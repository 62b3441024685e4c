// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When a call begins and ends on this rank, and when its windows are cleaned.

#ifndef TEGULA_DIST_PROCESS_CALLLIFETIME_H
#define TEGULA_DIST_PROCESS_CALLLIFETIME_H

#include "tegula/dist/process/ProcessPart.h"
#include "tegula/launch/ranks/RankGroup.h"

namespace tegula {

class DispatchOrder;
class RankBarriers;
class RankBoard;
class RankReporter;
class RankWaiter;
class WindowMemory;

class CallLifetime : ProcessPart {
public:
  CallLifetime(ProcessState &process, RankBoard &board, RankReporter &reporter,
               RankWaiter &waiter, RankBarriers &barriers, WindowMemory &memory,
               DispatchOrder &dispatchOrder, bool hasController)
      : ProcessPart(process), board(board), reporter(reporter), waiter(waiter),
        barriers(barriers), memory(memory), dispatchOrder(dispatchOrder),
        hasController(hasController) {}

  /// Begins a call, unless one has begun; false if it has failed.
  bool enter(CallLocation location);
  /// The end of the host program.
  void endHost(CallLocation location);
  /// See ProcessRanks.
  void hold() { retainsMemory = true; }
  void finish(CallLocation location);
  void tidy();

private:
  /// True if nobody waits for the others at the end of a program: the
  /// controller does, and nothing has to be fetched.
  bool endsAlone() const { return hasController && isDirect(); }
  bool begin(CallLocation location);
  void clean();
  void awaitEnd(CallLocation location);

  RankBoard &board;
  RankReporter &reporter;
  RankWaiter &waiter;
  RankBarriers &barriers;
  WindowMemory &memory;
  DispatchOrder &dispatchOrder;
  const bool hasController;
  bool retainsMemory = false;
  /// True if windows of the last call are still to be zeroed.
  bool isUnclean = false;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_CALLLIFETIME_H
