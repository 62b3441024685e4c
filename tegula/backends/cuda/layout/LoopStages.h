// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loads of a loop that are made an iteration ahead, because their addresses
/// follow from the number of the iteration: there are two buffers for each,
/// threads wait once in an iteration, and copies go on while the tensor cores
/// work.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H

#include "tegula/backends/cuda/layout/TileDistributor.h"

namespace tegula {

/// Those of one loop.
class LoopStages {
public:
  LoopStages(TileDistributor &distributor, mlir::scf::ForOp loop);

  /// In front of the loop: loads for the first iteration.
  void enter(llvm::SmallVectorImpl<mlir::Value> &inits);
  /// What was loaded is there; loads for the next iteration begin.
  void beginIteration(mlir::scf::ForOp made);
  void endIteration(llvm::SmallVectorImpl<mlir::Value> &yielded);
  /// Nobody uses the buffers any more.
  void leave();

private:
  void findLoads();
  bool addAddress(mlir::Value value, llvm::SetVector<mlir::Operation *> &ops);
  void copy(mlir::Value iteration, mlir::Value phase);

  TileDistributor &distributor;
  mlir::scf::ForOp loop;
  llvm::SmallVector<pl::LoadOp> loads;
  /// What says where they are, in program order.
  llvm::SmallVector<mlir::Operation *> addresses;
  /// Of both buffers, of each load.
  llvm::SmallVector<mlir::Value> starts;
  llvm::SmallVector<int64_t> bytes;
  int64_t keptBefore = 0;
  mlir::Value phase;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H
