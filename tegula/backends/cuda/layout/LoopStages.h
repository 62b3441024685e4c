// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Software pipelining of a loop's loads: where addresses follow from the
/// iteration's number, `cp.async` prefetches the next iteration's tiles into a
/// ring of two stages in shared memory. An iteration has one barrier, and
/// copies overlap with the tensor cores.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H

#include "tegula/backends/cuda/layout/TileDistributor.h"

namespace tegula {

/// The prefetched loads of one loop.
class LoopStages {
public:
  LoopStages(TileDistributor &distributor, mlir::scf::ForOp loop);

  /// Prologue, in front of the loop: prefetches for the first iteration.
  void enter(llvm::SmallVectorImpl<mlir::Value> &inits);
  /// Waits for this iteration's stage, and prefetches the next one's.
  void beginIteration(mlir::scf::ForOp made);
  void endIteration(llvm::SmallVectorImpl<mlir::Value> &yielded);
  /// After the loop: frees the ring.
  void leave();

private:
  void findLoads();
  bool addAddress(mlir::Value value, llvm::SetVector<mlir::Operation *> &ops);
  void copy(mlir::Value iteration, mlir::Value phase);

  TileDistributor &distributor;
  mlir::scf::ForOp loop;
  llvm::SmallVector<pl::LoadOp> loads;
  /// What computes their addresses, in program order.
  llvm::SmallVector<mlir::Operation *> addresses;
  /// Where the ring of each load begins.
  llvm::SmallVector<mlir::Value> starts;
  llvm::SmallVector<int64_t> bytes;
  int64_t keptBefore = 0;
  mlir::Value phase;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H
