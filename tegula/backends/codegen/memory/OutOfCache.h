// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which arguments of a kernel are so large in a call that no cache holds them.
/// Stores to those go past the caches, and rows of those are prefetched.

#ifndef TEGULA_BACKENDS_CODEGEN_MEMORY_OUTOFCACHE_H
#define TEGULA_BACKENDS_CODEGEN_MEMORY_OUTOFCACHE_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace tegula {

class TileLowering;

namespace pl {
class StoreOp;
} // namespace pl

/// Asks about each argument once, at the beginning of the function.
class OutOfCache {
public:
  explicit OutOfCache(TileLowering &lowering) : lowering(lowering) {}

  /// An i1: whether the tensor that is stored to is so large that stores go
  /// past the caches. Null if they do not at any size.
  mlir::Value isStreamed(pl::StoreOp store);
  /// An i1 if the tile is a window of an argument that may be large: whether it
  /// is so large that no cache holds it.
  mlir::Value isOutOfCache(mlir::Value tile);
  /// What went past the caches is there before anything that is written later:
  /// others may wait for that.
  void fenceStores(mlir::Location loc);

private:
  mlir::Value exceedsCaches(mlir::Value argument);

  TileLowering &lowering;
  /// By argument; of those that are only stored to, and of those that are read.
  llvm::MapVector<mlir::Value, mlir::Value> stored;
  llvm::DenseMap<mlir::Value, mlir::Value> read;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_MEMORY_OUTOFCACHE_H
