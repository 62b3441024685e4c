// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What this rank says of itself while it waits or after it failed, and what
/// was seen of all ranks then.

#ifndef TEGULA_DIST_PROCESS_RANKREPORTER_H
#define TEGULA_DIST_PROCESS_RANKREPORTER_H

#include "tegula/dist/control/RankRow.h"
#include "tegula/dist/process/ProcessPart.h"
#include "tegula/launch/ranks/RankGroup.h"
#include <mutex>
#include <string>

namespace tegula {

class RankBoard;

/// Why waiting has no more use.
struct RankTrouble {
  TegulaErrorKind kind = TegulaNoError;
  int64_t index = 0;
  int64_t extent = 0;
};

class RankReporter : ProcessPart {
public:
  RankReporter(ProcessState &process, RankBoard &board)
      : ProcessPart(process), board(board) {}

  /// Tells the others that this rank failed.
  void fail(CallLocation location);
  /// The same after a problem with messages.
  void recordProblem(Problem problem, CallLocation location);
  /// Keeps the text of a problem for the next report.
  void noteProblem(const Problem &problem);

  void beginWaiting();
  void writeWaiting(const RankState &state, int64_t since);
  void endWaiting();

  /// The first rank that failed in this call, if one did.
  RankTrouble findFailure() const;
  /// Looks at all ranks; `report` gives what was seen.
  void take();
  RankReport report() const;

private:
  RankBoard &board;
  /// Guards what threads that wait write down.
  mutable std::mutex reporting;
  int64_t numWaiting = 0;
  RankReport seen;
  std::string words;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_RANKREPORTER_H
