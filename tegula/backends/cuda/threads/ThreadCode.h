// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Builds what threads of a GPU do: who they are, barriers, loops that they
/// share.

#ifndef TEGULA_BACKENDS_CUDA_THREADS_THREADCODE_H
#define TEGULA_BACKENDS_CUDA_THREADS_THREADCODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Where code runs: outside of parallel loops all blocks run it, inside each
/// block has iterations of its own.
enum class Level { Grid, Block };

/// Values of the function of a device that are there from its beginning.
struct ThreadValues {
  mlir::ModuleOp module;
  /// Index numbers.
  mlir::Value thread, numThreads, block, numBlocks;
  /// The grid barrier, and the arenas of all blocks and of this one.
  mlir::Value gridBarrier, common, own;
  mlir::Value state;
};

/// Emits at the builder's insertion point.
class ThreadCode {
public:
  ThreadCode(mlir::OpBuilder &builder, mlir::Location loc,
             const ThreadValues &values)
      : builder(builder), loc(loc), values(values) {}

  mlir::Value number(int64_t value);
  mlir::Value call(llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange arguments);
  /// Waits for the threads that run at this level.
  void wait(Level level);
  /// Emits `body` for where the condition holds, and what to do elsewhere;
  /// `body` alone, if the condition is null.
  void emitIf(mlir::Value condition, llvm::function_ref<void()> body,
              llvm::function_ref<void()> otherwise = nullptr);
  /// What `body` emits only the first thread of the level does.
  void onFirst(Level level, llvm::function_ref<void()> body);
  /// What `body` emits only the threads of the first block do, if all blocks
  /// are here.
  void onFirstBlock(Level level, llvm::function_ref<void()> body);
  /// A loop; `body` gets the index.
  void loop(mlir::Value from, mlir::Value to, mlir::Value step,
            llvm::function_ref<void(mlir::Value)> body);
  mlir::Value isBelow(mlir::Value index, mlir::Value extent);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const ThreadValues &values;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_THREADS_THREADCODE_H
