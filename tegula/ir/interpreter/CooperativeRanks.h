// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the ranks of a program one at a time; each gives way only where it says
/// so. With the same options they run in the same order.

#ifndef TEGULA_IR_INTERPRETER_COOPERATIVERANKS_H
#define TEGULA_IR_INTERPRETER_COOPERATIVERANKS_H

#include "tegula/ir/interpreter/RankOptions.h"
#include "tegula/support/RankState.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <condition_variable>
#include <mutex>
#include <vector>

namespace tegula::pl {

/// The ranks of one program, each on a thread of its own, of which one runs.
class CooperativeRanks {
public:
  using Body = llvm::function_ref<llvm::LogicalResult(int64_t rank)>;

  /// What a rank waits for.
  struct Wait {
    mlir::Operation *op;
    /// Asked while no rank runs.
    llvm::function_ref<bool()> isOver;
    /// What is said of it where nobody can go on.
    llvm::function_ref<RankState()> describe;
  };

  explicit CooperativeRanks(const RankOptions &options);

  /// Runs all ranks to their ends; `op` is named in errors. `hurry` is called
  /// when all wait, as long as it returns true: it makes happen what is on its
  /// way. Once a rank fails the others do nothing more.
  llvm::LogicalResult run(mlir::Operation *op, Body body,
                          llvm::function_ref<bool()> hurry);

  /// Called by the rank that runs: waits, and lets others run. Fails if nobody
  /// can go on, or another rank has failed.
  llvm::LogicalResult wait(int64_t rank, const Wait &wait);

  /// Called by the rank that runs: others may run now, if the order has it.
  llvm::LogicalResult giveWay(int64_t rank, mlir::Operation *op);

private:
  struct Rank {
    CooperativeRanks *all;
    int64_t number;
    pthread_t thread;
    /// Null while it runs, before, and when it is done.
    const Wait *waits = nullptr;
    bool isDone = false;
  };
  static void *start(void *rank);
  void runRank(Rank &rank);
  bool startThreads(mlir::Operation *op);
  bool canRun(const Rank &rank) const;
  /// Chooses the rank that runs next; none when all are done.
  void passOn(int64_t current);
  int64_t choose(int64_t current);
  void reportDeadlock();

  RankOptions options;
  Body body = nullptr;
  llvm::function_ref<bool()> hurry = nullptr;
  std::vector<Rank> ranks;
  std::mutex mutex;
  std::condition_variable activeChanged;
  int64_t active = -1;
  uint64_t random;
  bool hasFailed = false;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_COOPERATIVERANKS_H
