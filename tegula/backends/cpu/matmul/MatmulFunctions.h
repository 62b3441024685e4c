// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The code of one matmul variant: functions of a module that all its matmuls
/// call, whatever their sizes. Each is made when it is first asked for.
///
/// A large matmul is cut into blocks of columns and of the inner axis, these
/// into strips of rows, and strips into register tiles:
///
///   for columns by `width`, for the inner axis by `depth`:
///     [copy that part of the rhs to panels]
///     for rows in strips:
///       [copy the strip of the lhs]
///       for panels: tiles of accumulators stay in registers along the inner
///       axis

#ifndef TEGULA_BACKENDS_CPU_MATMUL_MATMULFUNCTIONS_H
#define TEGULA_BACKENDS_CPU_MATMUL_MATMULFUNCTIONS_H

#include "tegula/backends/cpu/matmul/MatmulHeuristics.h"

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Strides and indices count elements of the matrix they are of; `room` is for
/// getRoom elements of accumulators. `adds` is 1 if the matmul adds to what is
/// in memory and 0 if it overwrites it.
class MatmulFunctions {
public:
  MatmulFunctions(mlir::ModuleOp module, const MatmulVariant &variant)
      : module(module), variant(variant) {}

  /// sum = lhs * rhs. Arguments: lhs, its strides; rhs, its strides; sum, its
  /// row stride; rows, columns, inner; room; adds. Columns of the result are
  /// contiguous.
  mlir::func::FuncOp getMatmul();
  /// The same for matmuls that are small, with less code.
  mlir::func::FuncOp getTileMatmul();

  /// Memory that a matmul needs, in elements of accumulators.
  static int64_t getRoom(const MatmulVariant &variant);
  /// The same for matmuls of at most so many columns and so deep.
  static int64_t getRoom(const MatmulVariant &variant, int64_t columns,
                         int64_t inner);

private:
  using Body =
      llvm::function_ref<void(VectorCode &code, mlir::ValueRange arguments)>;
  /// The function of that name, with addresses for `p` in `arguments` and
  /// numbers for `n`.
  mlir::func::FuncOp make(llvm::StringRef name, llvm::StringRef arguments,
                          Body body);

  /// A tile of `rows` x `vectors` in registers, to which the first `kept`
  /// columns of what is in memory are added. Arguments: lhs, its strides; rhs,
  /// its row stride; sum, its row stride; rows, which are more than those of
  /// the next smaller tile; inner, columns, kept; the distance in rhs of the
  /// line that each step prefetches, and how far behind it those for the other
  /// vectors are; what is added to each column if lhs has an offset.
  mlir::func::FuncOp getTile(int64_t rows, int64_t vectors);
  /// The same for any number of rows that a strip may have.
  void emitRows(VectorCode &code, mlir::ValueRange arguments, int64_t vectors);
  void emitRowsAtOnce(VectorCode &code, mlir::ValueRange arguments,
                      int64_t vectors, int64_t rows);
  void emitChunkedRows(VectorCode &code, mlir::ValueRange arguments,
                       int64_t vectors);
  /// Copies rhs to panels. Arguments: rhs, its strides; panels; inner, columns.
  mlir::func::FuncOp getPack();
  void packRows(VectorCode &code, mlir::ValueRange arguments);
  void packColumns(VectorCode &code, mlir::ValueRange arguments);
  void packElements(VectorCode &code, mlir::ValueRange arguments);
  /// The same where panels hold groups.
  void packGroups(VectorCode &code, mlir::ValueRange arguments);
  void packGroupsOfColumns(VectorCode &code, mlir::ValueRange arguments);
  void packGroupsByElement(VectorCode &code, mlir::ValueRange arguments);
  /// What makes up for the offset of lhs in each column. Arguments: panels;
  /// groups, columns; the result.
  mlir::func::FuncOp getOffsets();
  void copyGroups(VectorCode &code, mlir::ValueRange arguments);
  /// Copies a strip of lhs. Arguments: lhs, its strides; strip, its pitch;
  /// rows, inner.
  mlir::func::FuncOp getCopy();
  mlir::func::FuncOp getBlocked();
  void emitBlock(VectorCode &code, const struct MatmulBlock &block);
  void emitTiles(VectorCode &code, mlir::ValueRange arguments,
                 mlir::Value columns, int64_t vectors = 1);
  mlir::func::FuncOp getWideTiles();

  void emitMatmul(VectorCode &code, mlir::ValueRange arguments);
  void emitWide(VectorCode &code, mlir::ValueRange arguments,
                const MatmulSizes &sizes);
  void emitTileMatmul(VectorCode &code, mlir::ValueRange arguments);
  mlir::func::FuncOp makeMatmul(llvm::StringRef name, Body body);
  /// Calls a function of one row for each.
  void emitForRows(VectorCode &code, mlir::ValueRange arguments,
                   mlir::func::FuncOp function);

  /// One row or two. Arguments as those of getMatmul.
  mlir::func::FuncOp getStream(int64_t rows);
  /// One row of a few vectors of columns. Arguments: lhs, its stride; rhs, its
  /// strides; sum; columns, inner; adds.
  mlir::func::FuncOp getShortStream();
  /// So many rows with columns, which are contiguous as rows of lhs are.
  /// Arguments: lhs, its row stride; rhs, its column stride; sum, its row
  /// stride; columns, inner; adds.
  mlir::func::FuncOp getBlockOfDots(int64_t rows);
  void emitDotsOfColumns(VectorCode &code, mlir::ValueRange arguments);
  /// Dot products of four rows with one column that is contiguous. Arguments:
  /// lhs, its row stride; column; sum, its row stride; inner.
  mlir::func::FuncOp getDots();
  /// A few columns, and at least four rows, without what was there before.
  /// Arguments as those of getMatmul up to room.
  mlir::func::FuncOp getNarrow();

  mlir::ModuleOp module;
  const MatmulVariant &variant;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_MATMULFUNCTIONS_H
