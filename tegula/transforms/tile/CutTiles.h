// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which tiles are computed window by window: those whose extents nobody
/// bounds, those that are larger than what the machine holds, and what is
/// computed from these element by element or row by row. Where the machine
/// wants it, also what one store needs of each of its rows.

#ifndef TEGULA_TRANSFORMS_TILE_CUTTILES_H
#define TEGULA_TRANSFORMS_TILE_CUTTILES_H

#include "tegula/ir/ops/PlOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace tegula {

/// The tiles of one function that are cut.
class CutTiles {
public:
  /// `largest` is how many elements a tile may have that is computed whole. Of
  /// tiles with an axis without a bound others are cut only if all are.
  CutTiles(mlir::func::FuncOp function, int64_t largest, bool takesRows,
           bool cutsAllAxes);

  bool contains(mlir::Value value) const {
    return pl::isUnboundedTile(value) || large.contains(value) ||
           perRow.contains(value);
  }
  /// True if the store is computed row by row.
  bool isByRow(pl::StoreOp store) const { return byRow.contains(store); }
  /// True for a value with bounds that such a store computes for each row.
  bool isPerRow(mlir::Value value) const { return perRow.contains(value); }
  /// True for one that has bounds and is cut all the same.
  bool isLarge(mlir::Value value) const { return large.contains(value); }

  /// True if the extent of the axis, which a window of `size` is taken of, is
  /// not known to be that short.
  bool isLonger(mlir::Value tile, unsigned axis, int64_t size) const;

private:
  void findRows(mlir::func::FuncOp function);

  bool cutsAllAxes;
  llvm::DenseSet<mlir::Value> large;
  llvm::DenseSet<mlir::Value> perRow;
  llvm::DenseSet<mlir::Operation *> byRow;
};

/// True if the loop around the store takes no more rows at a time than fit, and
/// never more than `most`.
bool takesFittingRows(pl::StoreOp store, pl::Dim rows, int64_t most);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_TILE_CUTTILES_H
