// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is known of the tiles of a kernel that does the same with every row,
/// and of numbers that are extents of them.

#ifndef TEGULA_TRANSFORMS_ROWS_ROWTILES_H
#define TEGULA_TRANSFORMS_ROWS_ROWTILES_H

#include "tegula/transforms/matmul/AxisLoop.h"
#include "tegula/transforms/rows/RowwiseKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Tiles have rows along the first of two axes and columns along the last.
/// Those without columns may *lie*: rows are along the last axis. Tiles of one
/// number have the shape of what they are used with. A tile with columns is of
/// the loop over them that it was made in, or of none. In such a loop a *wide*
/// tile may have more columns than are left.
class RowTiles {
protected:
  explicit RowTiles(llvm::DenseMap<mlir::Value, RowShape> &shapes)
      : shapes(shapes) {}

  /// The extents that a tile of this shape has, in the order of its axes.
  /// Nothing if they are not those of an iteration.
  std::optional<RowShape> findShape(mlir::ValueRange sizes) const;

  bool isRows(mlir::Value number) const {
    return rowCut ? isOfCut(rowCut, number)
                  : RowExtent::of(number) == rows || isDim(number, false);
  }
  bool isColumns(mlir::Value number) const {
    const AxisLoop &cut = isVectors.value_or(false) ? rowCut : columnCut;
    return cut ? isOfCut(cut, number)
               : RowExtent::of(number) == columns || isDim(number, true);
  }
  /// What an iteration has left, or a whole step: that is as good where nothing
  /// beyond the window is written, but not if columns are summed up.
  bool isOfCut(const AxisLoop &cut, mlir::Value number) const;

  /// A tile that has the elements of the iteration.
  void addShaped(mlir::Value made, RowShape shape) {
    shapes[made] = shape;
    parts[made] = columnCut.variable;
  }
  /// A tile that is one number everywhere.
  void addConstant(pl::FullOp full);
  /// One that has the same elements, maybe in another shape.
  void addSame(mlir::Value made, mlir::Value source);
  /// One that is computed from others, element by element. False if they have
  /// not all the same shape, or have columns of another loop.
  bool addElements(mlir::Operation *op);
  /// A tile whose extents were given.
  void addSized(mlir::Value made, RowShape shape, mlir::ValueRange sizes);
  /// The elements along another axis, as shape ops put them. False if they are
  /// not rows.
  bool addTransposed(mlir::Operation *op);
  /// The extent of a tile. False if that is not rows nor columns.
  bool addDim(pl::DimOp op);

  /// Numbers that a loop carries. False if they are not extents of the
  /// iteration, all the time.
  bool addCarriedExtents(mlir::scf::ForOp loop);
  /// Whether the extents are those of a tile of that shape.
  bool isSizedAs(pl::WithExtentsOp op, RowShape shape) const {
    return fits(op.getExtents(), shape, isLying(op.getSource()));
  }

  bool isSizedAs(mlir::ValueRange sizes, mlir::Value tile) const {
    return shapes.contains(tile) &&
           fits(sizes, shapes.lookup(tile), isLying(tile));
  }
  /// Whether both reach as far along the same axes.
  bool isLike(mlir::Value lhs, mlir::Value rhs) const {
    return shapes.contains(lhs) && shapes.contains(rhs) &&
           shapes.lookup(lhs) == shapes.lookup(rhs) &&
           isLying(lhs) == isLying(rhs);
  }

  /// Whether the tile is known and has that shape, rows along the first axis.
  bool hasShape(mlir::Value tile, RowShape shape) const;
  /// Whether it has no columns but those of the loop around, or of none if
  /// there is none.
  bool isOfThisLoop(mlir::Value tile) const {
    return !shapes.lookup(tile).hasColumns ||
           parts.lookup(tile) == columnCut.variable;
  }
  /// Whether it has no more columns than there are.
  bool hasAllColumns(mlir::Value tile) const { return !wide.contains(tile); }
  bool isLying(mlir::Value tile) const { return lying.contains(tile); }

  AxisLoop rowCut, columnCut;
  /// Whether the first loop is over elements of vectors; not known before the
  /// first access in it.
  std::optional<bool> isVectors;
  RowExtent rows, columns;

private:
  /// Whether it is exactly what an iteration has left.
  bool isLeft(const AxisLoop &cut, mlir::Value number) const;
  bool isDim(mlir::Value number, bool isColumn) const;
  bool isDimOf(const AxisLoop &cut, mlir::Value number) const;
  bool fits(mlir::ValueRange sizes, RowShape shape, bool isLying) const;

  /// The extent of a tile of that loop over columns, if of one. That of a tile
  /// of one number may be both.
  struct Dim {
    bool isRow, isColumn, isWide;
    mlir::Value index;
  };

  llvm::DenseMap<mlir::Value, RowShape> &shapes;
  llvm::DenseSet<mlir::Value> lying, wide;
  /// The variables of the loops over columns that tiles were made in.
  llvm::DenseMap<mlir::Value, mlir::Value> parts;
  llvm::DenseMap<mlir::Value, pl::FullOp> constants;
  llvm::DenseMap<mlir::Value, Dim> dims;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_ROWS_ROWTILES_H
