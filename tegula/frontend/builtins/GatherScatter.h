// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the builtins that gather and the builtins that scatter share: patterns
/// of columns, index tiles and loops over rows.

#ifndef TEGULA_FRONTEND_BUILTINS_GATHERSCATTER_H
#define TEGULA_FRONTEND_BUILTINS_GATHERSCATTER_H

#include "tegula/frontend/builtins/BuiltinCall.h"

namespace tegula {

/// Every `step`th column from `start` on.
struct ColumnPattern {
  int64_t step;
  int64_t start;
};

/// The pattern an argument names: 1 to 7 or pl.MaskPattern.P0101 and the like;
/// nothing, and an error, for anything else.
std::optional<ColumnPattern> readPattern(const BuiltinArgument &argument);

/// The columns of a pattern as indices: `count` of them, of which `dim` is
/// known, in each row of a tile such as `rows`.
mlir::Value patternIndices(const BuiltinCall &call, mlir::Value rows,
                           mlir::Value count, pl::Dim dim,
                           ColumnPattern pattern);

/// An argument as a tile of integers; null and an error for anything else.
mlir::Value indexTile(const BuiltinArgument &argument);

/// One element of an integer tensor or tile as an index value.
mlir::Value readIndex(const BuiltinCall &call, mlir::Value shaped,
                      llvm::ArrayRef<mlir::Value> position);

/// A list of numbers: a tensor or tile with one axis that is not of extent 1.
struct IndexList {
  mlir::Value shaped;
  /// The axis along which the list runs.
  unsigned axis;
};

/// The argument as a list; nothing, and an error, if it is none.
std::optional<IndexList> indexList(const BuiltinArgument &argument);

/// The entry of a list at an index.
mlir::Value readEntry(const BuiltinCall &call, const IndexList &list,
                      mlir::Value position);

/// Runs `body` for each number below `extent`, in order.
void forEachIndex(const BuiltinCall &call, mlir::Value extent,
                  llvm::function_ref<void(mlir::Value)> body);

/// The same where each number is about other elements, so that no order shows.
void forEachApart(const BuiltinCall &call, mlir::Value extent,
                  llvm::function_ref<void(mlir::Value)> body);

/// A part of a tensor or tile: one index along the leading axes, which go away,
/// and all of the others.
mlir::Value rowOf(const BuiltinCall &call, mlir::Value shaped,
                  llvm::ArrayRef<mlir::Value> leading);

/// Memory for a tile of these dims and extents.
mlir::Value memoryFor(const BuiltinCall &call, llvm::ArrayRef<pl::Dim> dims,
                      llvm::ArrayRef<mlir::Value> extents, mlir::Type element);

/// "row" or "elem" as a flag for rows; nothing, and an error, for others.
std::optional<bool> isByRows(const BuiltinArgument &argument, bool otherwise);

/// A comparison: 0 to 5 or a name, in the order of pl::Comparison, and equality
/// if it is left out. Nothing, and an error, for others.
std::optional<pl::Comparison> readComparison(const BuiltinArgument &argument);

/// The elements of a tile that an index tile names along an axis; flat without
/// one. An index that is out of range is reported at `indexLoc`.
Object gatherAlong(const BuiltinCall &call, mlir::Value source,
                   mlir::Value index, std::optional<unsigned> axis,
                   std::optional<mlir::Location> indexLoc = std::nullopt);

/// A tile with elements replaced at indices that an index tile names along an
/// axis; flat without one.
Object scatterAlong(const BuiltinCall &call, mlir::Value source,
                    mlir::Value target, mlir::Value index,
                    std::optional<unsigned> axis,
                    std::optional<mlir::Location> indexLoc = std::nullopt);

/// Whether an `atomic` argument asks for sums; nothing, and an error, if it
/// says neither.
std::optional<bool> isAtomicAdd(const BuiltinArgument &argument);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_GATHERSCATTER_H
