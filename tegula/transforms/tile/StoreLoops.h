// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loops that a store of a whole-array expression is cut into.

#ifndef TEGULA_TRANSFORMS_TILE_STORELOOPS_H
#define TEGULA_TRANSFORMS_TILE_STORELOOPS_H

#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/tile/TileEmitter.h"

namespace tegula {

/// How the window of one iteration lies along each axis of a store.
struct StoreWindow {
  Window window;
  llvm::SmallVector<bool> isLooped;
  /// How long the blocks of rows for the threads are; null where there are
  /// none.
  llvm::SmallVector<mlir::Value> blocks;
};

/// How the loops of a store run.
struct StoreLoopOptions {
  /// Whether iterations of the outermost loop are distributed to threads, and
  /// those of all others.
  bool isShared, areAllShared;
  /// Whether the expression reads the memory that is written.
  bool isInPlace;
};

/// Opens the loops one after the other; what follows goes into the innermost.
class StoreLoops {
public:
  StoreLoops(mlir::OpBuilder &builder, pl::StoreOp store, mlir::Value zero,
             StoreWindow &chosen, TileEmitter &emitter,
             StoreLoopOptions options)
      : builder(builder), store(store), zero(zero), chosen(chosen),
        emitter(emitter), options(options), target(store.getTarget()),
        starts(chosen.window.size(), zero) {}

  mlir::LogicalResult open();

  /// What is stored to inside the loops, and where it starts in the store's
  /// target.
  mlir::Value getTarget() const { return target; }
  mlir::Value getStart(unsigned axis) const { return starts[axis]; }

private:
  mlir::LogicalResult openAxis(unsigned axis);
  /// Takes the next block of rows: where it begins and ends.
  std::pair<mlir::Value, mlir::Value> openBlocks(unsigned axis, mlir::Value to);
  mlir::Value openLoop(mlir::Value from, mlir::Value to, mlir::Value step);

  mlir::OpBuilder &builder;
  pl::StoreOp store;
  mlir::Value zero;
  StoreWindow &chosen;
  TileEmitter &emitter;
  StoreLoopOptions options;
  mlir::Value target;
  llvm::SmallVector<mlir::Value> starts;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_TILE_STORELOOPS_H
