// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which dispatches a rank runs, what it waits for before, and what it fetches.

#ifndef TEGULA_DIST_PROCESS_DISPATCHORDER_H
#define TEGULA_DIST_PROCESS_DISPATCHORDER_H

#include "tegula/dist/DispatchTable.h"
#include "tegula/dist/process/ProcessPart.h"
#include "tegula/launch/ranks/RankGroup.h"

namespace tegula {

class CallLifetime;
class RankBoard;
class RankReporter;
class RankWaiter;
class WindowMemory;

class DispatchOrder : ProcessPart {
public:
  DispatchOrder(ProcessState &process, RankBoard &board, RankReporter &reporter,
                RankWaiter &waiter, WindowMemory &memory,
                CallLifetime &lifetime)
      : ProcessPart(process), board(board), reporter(reporter), waiter(waiter),
        memory(memory), lifetime(lifetime) {}

  /// See RankGroup.
  bool begin(int64_t device, llvm::ArrayRef<TegulaTensorUse> tensors,
             CallLocation location);
  void end(CallLocation location);
  /// Fetches what other ranks wrote.
  void receiveAll(CallLocation location);
  /// Forgets all dispatches: the call is over.
  void clear() { table.clear(); }

private:
  bool awaitDispatch(const Dispatch &dispatch, CallLocation location);
  bool isDone(const Dispatch &dispatch) const;
  bool makeRoom(CallLocation location);
  void receive(llvm::ArrayRef<size_t> needed, CallLocation location);
  void receiveUse(const DispatchUse &use, int64_t from, CallLocation location);

  RankBoard &board;
  RankReporter &reporter;
  RankWaiter &waiter;
  WindowMemory &memory;
  CallLifetime &lifetime;
  DispatchTable table;
  int64_t dispatchStart = 0;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_DISPATCHORDER_H
