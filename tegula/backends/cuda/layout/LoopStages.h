// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Software pipelining of a loop's loads: where addresses follow from the
/// iteration's number, `cp.async` prefetches the tiles of the next iterations
/// into a ring of stages in shared memory. An iteration has one barrier, and
/// waits for its own stage only: other copies overlap with the tensor cores.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H

#include "tegula/backends/cuda/layout/TileDistributor.h"

namespace tegula {

/// Those of one loop.
class LoopStages {
public:
  LoopStages(TileDistributor &distributor, mlir::scf::ForOp loop);

  /// Prologue, in front of the loop: prefetches for the first iterations.
  void enter(llvm::SmallVectorImpl<mlir::Value> &inits);
  /// Waits for this iteration's stage; a later one's is prefetched when the
  /// first matmul has begun.
  void beginIteration(mlir::scf::ForOp made);
  void endIteration(llvm::SmallVectorImpl<mlir::Value> &yielded);
  /// True if wgmma goes on from one iteration to the next.
  bool hasAccumulators() const { return !accumulators.empty(); }
  /// Nobody uses the ring any more, and accumulators are made.
  void leave();

private:
  void findLoads();
  void findAccumulators();
  void chooseCount();
  bool isReadInRing(mlir::Value operand) const;
  bool addAddress(mlir::Value value, llvm::SetVector<mlir::Operation *> &ops);
  /// Fills the stage that the last iteration has read.
  void prefetch(mlir::scf::ForOp made);
  /// Prefetches what an iteration needs, if it is one, into a stage.
  void copy(mlir::Value iteration, mlir::Value last, mlir::Value stage);
  void copyAll(mlir::Value iteration, mlir::Value stage);
  mlir::Value getStart(size_t load, mlir::Value stage);
  mlir::Value getNextStage(mlir::Value stage);

  TileDistributor &distributor;
  mlir::scf::ForOp loop;
  llvm::SmallVector<pl::LoadOp> loads;
  /// What says where they are, in program order.
  llvm::SmallVector<mlir::Operation *> addresses;
  /// The ring of each load, and the bytes of one of its stages.
  llvm::SmallVector<mlir::Value> starts;
  llvm::SmallVector<int64_t> bytes;
  /// Stages, and the prefetch distance in iterations.
  int64_t count = 2, distance = 1;
  /// Matmuls that go on while the next iteration begins.
  llvm::SmallVector<mlir::Value> accumulators;
  int64_t keptBefore = 0;
  /// That of this iteration, and the one that is filled meanwhile.
  mlir::Value current, filled;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_LOOPSTAGES_H
