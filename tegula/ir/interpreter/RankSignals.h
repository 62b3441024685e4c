// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the signals of ranks were, and what a rank knows that has seen one.

#ifndef TEGULA_IR_INTERPRETER_RANKSIGNALS_H
#define TEGULA_IR_INTERPRETER_RANKSIGNALS_H

#include "tegula/ir/interpreter/RankClock.h"
#include "tegula/ir/ops/PlRankOps.h"

#include <map>
#include <vector>

namespace tegula::pl {

/// One change of one signal, on its way.
struct Notification {
  char *signal;
  int32_t value;
  NotifyKind kind;
  int64_t rank;
  /// What the rank knew.
  RankKnowledge knowledge;
};

/// The value of a signal now.
int32_t readSignal(const char *signal);

/// Changes it, and returns what it is then.
int32_t changeSignal(char *signal, NotifyKind kind, int32_t value);

/// True if `value` is what is waited for.
bool isReached(WaitKind kind, int32_t value, int32_t expected);

class RankSignals {
public:
  /// Changes the signal.
  void deliver(const Notification &notification);

  /// What a rank learns that waits for its own signal, which is as expected. It
  /// might have gone on when it first was, so it learns nothing that came
  /// later.
  void learn(int64_t rank, const char *signal, WaitKind kind, int32_t expected,
             RankKnowledge &knowledge);

private:
  /// A value, who made it so, and what was known.
  struct Change {
    int32_t value;
    int64_t rank;
    RankKnowledge knowledge;
  };
  using Changes = std::vector<Change>;

  /// The changes so far, of which the last is the value now.
  Changes &changesOf(const char *signal, int64_t ranks);

  std::map<const char *, Changes> signals;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_RANKSIGNALS_H
