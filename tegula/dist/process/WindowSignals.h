// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Words of windows by which ranks notify each other.

#ifndef TEGULA_DIST_PROCESS_WINDOWSIGNALS_H
#define TEGULA_DIST_PROCESS_WINDOWSIGNALS_H

#include "tegula/dist/process/ProcessPart.h"
#include "tegula/launch/ranks/RankGroup.h"

namespace tegula {

class RankBoard;
class RankReporter;
class RankWaiter;
class WindowMemory;

class WindowSignals : ProcessPart {
public:
  WindowSignals(ProcessState &process, RankBoard &board, RankReporter &reporter,
                RankWaiter &waiter, WindowMemory &memory)
      : ProcessPart(process), board(board), reporter(reporter), waiter(waiter),
        memory(memory) {}

  /// See RankGroup.
  void notify(void *own, int64_t peer, int32_t value, TegulaNotifyKind kind,
              CallLocation location);
  void wait(void *own, int32_t expected, TegulaWaitKind kind,
            CallLocation location);

private:
  RankBoard &board;
  RankReporter &reporter;
  RankWaiter &waiter;
  WindowMemory &memory;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_WINDOWSIGNALS_H
