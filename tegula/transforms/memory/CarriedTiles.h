// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tiles with no static bound that cross loops and branches in memory: the
/// steps that CarryTensorsInMemory is made of.

#ifndef TEGULA_TRANSFORMS_MEMORY_CARRIEDTILES_H
#define TEGULA_TRANSFORMS_MEMORY_CARRIEDTILES_H

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace tegula {

/// Where a tile that goes around a loop is.
struct CarriedTile {
  /// Which of the values that go around it is.
  unsigned position;
  /// Memory made before the loop; null if the tile goes around as a view of
  /// memory that is made in each iteration.
  mlir::Value memory;
  /// Its extents as an iteration sees them, if there is memory.
  llvm::SmallVector<mlir::Value> extents;
};

/// The type of a tensor like the tile.
pl::TensorViewType viewTypeOf(mlir::Type tile);

/// The extents that a value from across a region is said to have; nothing if
/// nobody says.
std::optional<mlir::OperandRange> extentsOf(mlir::Value value);

/// The tile in memory of its own, made and filled at the builder.
mlir::Value inMemory(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value tile);

/// A value that was a tile is a view from now on; what used it loads it, at the
/// builder.
void becomeView(mlir::Value tile, mlir::OpBuilder &builder);

/// What used the tile loads the first `extents` elements of the memory, at the
/// builder.
void becomeLoad(mlir::Value tile, mlir::Value memory, mlir::ValueRange extents,
                mlir::OpBuilder &builder);

/// The same extents where they have other names: what is made before the loop
/// keeps its own. Nothing if one has no name there.
std::optional<llvm::SmallVector<mlir::Value>>
renamed(mlir::Operation *loop, mlir::ValueRange extents,
        const llvm::DenseMap<mlir::Value, mlir::Value> &names);

/// Puts what a tile that goes around begins with into memory. `sides` are the
/// values that it is in the loop and after it; `names` gives the extents that
/// are said of them the names they have in an iteration.
CarriedTile enterLoop(mlir::Operation *loop, mlir::OpOperand &init,
                      unsigned position, llvm::ArrayRef<mlir::Value> sides,
                      const llvm::DenseMap<mlir::Value, mlir::Value> &names);

/// Lets the tiles that go around an scf.while do so in memory.
void carryInMemory(mlir::scf::WhileOp loop);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MEMORY_CARRIEDTILES_H
