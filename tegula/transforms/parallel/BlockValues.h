// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The values of a block of a grid when its body is divided into stretches:
/// what is computed in one and needed in another. What follows from the number
/// of the block and from values that all blocks share is computed again; the
/// rest is kept in memory, a slot for each block.

#ifndef TEGULA_TRANSFORMS_PARALLEL_BLOCKVALUES_H
#define TEGULA_TRANSFORMS_PARALLEL_BLOCKVALUES_H

#include "tegula/ir/ops/PlOps.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula {

/// The values of all blocks of one grid. Stretches are emitted one after the
/// other; in each the values have other names.
class BlockValues {
public:
  explicit BlockValues(pl::ParallelOp grid)
      : grid(grid), before(grid->getPrevNode()) {}

  /// A new stretch, for the block `block`, begins at the builder.
  void enter(mlir::Value block);

  /// Does the op in this stretch, with what it needs.
  [[nodiscard]] mlir::LogicalResult clone(mlir::Operation *op,
                                          mlir::OpBuilder &builder);
  /// The value in this stretch; fails, with an error, if it cannot be had.
  [[nodiscard]] mlir::FailureOr<mlir::Value> get(mlir::Value value,
                                                 mlir::OpBuilder &builder);
  /// From now on the block's `name` is `value`, a value of this stretch.
  [[nodiscard]] mlir::LogicalResult set(mlir::Value name, mlir::Value value,
                                        mlir::OpBuilder &builder);

  /// The value outside of the grid, at the builder; fails if it differs from
  /// block to block.
  [[nodiscard]] mlir::FailureOr<mlir::Value>
  getForAll(mlir::Value value, mlir::OpBuilder &builder);
  /// What a value is outside of the grid.
  void setForAll(mlir::Value name, mlir::Value value) {
    shared.map(name, value);
  }

  /// `name` is what `value` is.
  void rename(mlir::Value name, mlir::Value value) { names[name] = value; }

private:
  /// Where a value of each block is kept.
  struct Slot {
    /// As many elements or tiles as there are blocks.
    mlir::Value memory;
    /// Of a tile: how large it can be.
    llvm::SmallVector<mlir::Value, 4> sizes;
    /// Of a tile: where the extents are kept that may be less; else null.
    llvm::SmallVector<mlir::Value, 4> extents;
  };

  bool isOutside(mlir::Value value) {
    return !grid.getBody().isAncestor(value.getParentRegion());
  }
  /// A builder before everything that is made of the grid.
  mlir::OpBuilder beforeAll();
  /// The value before all of that; fails if it is not the same in all blocks
  /// and iterations.
  mlir::FailureOr<mlir::Value> getBeforeAll(mlir::Value value);
  /// The most that an axis of the value can be, and whether it is just that.
  mlir::FailureOr<mlir::Value> sizeBeforeAll(mlir::Value value, unsigned axis,
                                             pl::Dim dim, bool &isExact);
  mlir::FailureOr<Slot *> slotOf(mlir::Value value);
  mlir::Value makeMemory(mlir::Location loc, mlir::ValueRange sizes,
                         llvm::ArrayRef<pl::Dim> dims, mlir::Type element);
  mlir::FailureOr<mlir::Value> getOfAllBlocks(pl::CreateTensorOp created,
                                              mlir::OpBuilder &builder);
  mlir::Value partOf(mlir::Value memory, mlir::ValueRange sizes,
                     llvm::ArrayRef<pl::Dim> dims, mlir::Location loc,
                     mlir::OpBuilder &builder);
  mlir::Value read(const Slot &slot, mlir::Value like,
                   mlir::OpBuilder &builder);
  void write(const Slot &slot, mlir::Value value, mlir::OpBuilder &builder);

  pl::ParallelOp grid;
  mlir::Operation *before;
  llvm::DenseMap<mlir::Value, mlir::Value> names;
  mlir::IRMapping shared;
  /// The values of the stretch that is being emitted.
  mlir::IRMapping here;
  mlir::Value block;
  /// Where the value of the stretch in which it is computed was made.
  llvm::DenseMap<mlir::Value, mlir::Value> made;
  llvm::DenseMap<mlir::Value, mlir::Value> madeIn;
  llvm::DenseMap<mlir::Value, Slot> slots;
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PARALLEL_BLOCKVALUES_H
