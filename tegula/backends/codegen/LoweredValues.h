// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the values of a function have become so far, while its tiles are
/// lowered.

#ifndef TEGULA_BACKENDS_CODEGEN_LOWEREDVALUES_H
#define TEGULA_BACKENDS_CODEGEN_LOWEREDVALUES_H

#include "tegula/backends/codegen/memory/View.h"

#include "mlir/IR/IRMapping.h"

namespace tegula {

/// What is known of a tile: how far it is valid, and where it is, if it has
/// memory. The view may hold wider elements than the tile's type says.
struct Tile {
  Indices extents;
  std::optional<View> view;
};

/// Scalars, tiles and tensors by the value of the function that is lowered.
class LoweredValues {
public:
  /// The lowered form of a scalar.
  mlir::Value scalar(mlir::Value value) const { return scalars.lookup(value); }
  /// The lowered forms of index operands, as constants where they are.
  Indices indices(mlir::ValueRange values) const;
  const Tile &tile(mlir::Value value) const;
  /// Null if the tile is not lowered yet.
  const Tile *findTile(mlir::Value value) const;
  const View &view(mlir::Value tensor) const;
  bool hasView(mlir::Value tensor) const { return views.contains(tensor); }

  void setScalar(mlir::Value value, mlir::Value lowered) {
    scalars.map(value, lowered);
  }
  void setTile(mlir::Value value, Tile lowered) {
    tiles[value] = std::move(lowered);
  }
  /// The tile, whose extents are known, is there.
  void setMemory(mlir::Value tile, std::optional<View> memory) {
    tiles[tile].view = std::move(memory);
  }
  void setView(mlir::Value tensor, View memory) {
    views[tensor] = std::move(memory);
  }
  /// The same op on the lowered forms of its operands.
  void clone(mlir::OpBuilder &builder, mlir::Operation &op) {
    builder.clone(op, scalars);
  }

private:
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Tile> tiles;
  llvm::DenseMap<mlir::Value, View> views;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CODEGEN_LOWEREDVALUES_H
