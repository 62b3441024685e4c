// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Decides which tiles get memory of their own and which are computed where
/// they are read. Looks at the function and changes nothing.

#ifndef TEGULA_TRANSFORMS_PLAN_FUSION_H
#define TEGULA_TRANSFORMS_PLAN_FUSION_H

#include "tegula/ir/ops/PlOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {

/// The fusion decisions of one function. A tile is *virtual* if its elements
/// are computed by whoever reads them. Its *readers* are the ops that at last
/// do so: stores, reductions, matmuls, the ends of loop bodies.
///
/// `%e = exp(%x)` read by a reduction and by a store is not virtual, so exp
/// runs once; `%y = %e * %s` read by the store alone is, so it needs no memory.
class Fusion {
public:
  using Readers = llvm::SmallSetVector<mlir::Operation *, 4>;

  /// Chains of `longestChain` ops are cut: their loops would hold more than
  /// the machine's registers do.
  explicit Fusion(unsigned longestChain) : longestChain(longestChain) {}

  /// True if the op's tile is computed by its readers.
  bool isVirtual(mlir::Operation *op);

  /// The ops that read the tile's elements.
  const Readers &getReaders(mlir::Value tile);

  /// True if nothing the load reads is written before its last reader is done,
  /// and it is not asked for in another memory.
  bool canReadInPlace(pl::LoadOp load);

  /// Calls `visit` for every tile that is read when `tile` is computed where
  /// it is read: tiles in memory, loads and carried tiles. `isMoved` says that
  /// elements are read at other indices than they are computed for. Stops and
  /// returns true as soon as `visit` does.
  bool anyLeaf(mlir::Value tile,
               llvm::function_ref<bool(mlir::Value leaf, bool isMoved)> visit,
               bool isMoved = false);

  /// True if what is inserted is computed from elements of `tile` other than
  /// those it takes the place of, were it to take the place of `tile`.
  bool readsElsewhere(pl::InsertOp insert, mlir::Value tile);

private:
  using Visited = llvm::SmallDenseSet<std::pair<mlir::Value, unsigned>, 16>;
  bool anyLeaf(mlir::Value tile,
               llvm::function_ref<bool(mlir::Value leaf, bool isMoved)> visit,
               bool isMoved, Visited &visited);
  bool isVirtualCompute(mlir::Operation *op);
  /// The number of ops on the longest way from memory to the op.
  unsigned depthOf(mlir::Operation *op);

  unsigned longestChain;
  llvm::DenseMap<mlir::Operation *, bool> isVirtualMemo;
  llvm::DenseMap<mlir::Value, Readers> readersMemo;
  llvm::DenseMap<mlir::Operation *, unsigned> depthMemo;
};

/// True if the reshape only adds and removes axes of extent 1.
bool isUnitReshape(pl::ReshapeOp reshape);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_FUSION_H
