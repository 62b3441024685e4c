// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs blocks that wait for each other at barriers: one at a time, in order,
/// each until it waits or is done.

#ifndef TEGULA_IR_INTERPRETER_COOPERATIVEBLOCKS_H
#define TEGULA_IR_INTERPRETER_COOPERATIVEBLOCKS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <condition_variable>
#include <mutex>
#include <vector>

namespace tegula::pl {

/// The blocks of one grid, each on a thread of its own, of which one runs.
/// For example, with two blocks that do `a; barrier; b`, the order is a0, a1,
/// b0, b1.
class CooperativeBlocks {
public:
  using Body = llvm::function_ref<llvm::LogicalResult(int64_t block)>;

  /// Runs all blocks to their ends; `op` is named in errors. Once a block fails
  /// the others do nothing more.
  llvm::LogicalResult run(mlir::Operation *op, int64_t count, Body body);

  /// Called by the block that runs: waits for the others at `barrier`. Fails if
  /// one of them is done, waits elsewhere, or has failed.
  llvm::LogicalResult wait(mlir::Operation *barrier);

private:
  static void *start(void *block);
  struct Block {
    CooperativeBlocks *all;
    int64_t number;
    pthread_t thread;
    /// Where it waits; null while it runs and when it is done.
    mlir::Operation *waitsAt = nullptr;
    bool isDone = false;
  };
  void runBlock(Block &block);
  /// Lets block `number` run until it waits or is done.
  void resume(int64_t number);
  llvm::LogicalResult checkBarrier(mlir::Operation *op);

  Body body = nullptr;
  std::vector<Block> blocks;
  std::mutex mutex;
  std::condition_variable activeChanged;
  /// The block that runs; -1 when the one who resumes goes on.
  int64_t active = -1;
  bool hasFailed = false;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_COOPERATIVEBLOCKS_H
