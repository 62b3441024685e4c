// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a matmul is computed at the sizes of a call: formulas, and nothing
/// else. Each is a few instructions in the compiled code. The numbers were
/// found by measuring each choice both ways on one core of a Zen 4.

#ifndef TEGULA_BACKENDS_CPU_MATMUL_MATMULHEURISTICS_H
#define TEGULA_BACKENDS_CPU_MATMUL_MATMULHEURISTICS_H

#include "tegula/backends/cpu/matmul/MatmulVariant.h"

namespace tegula {

/// What is known when a matmul is called: extents, and strides in elements.
struct MatmulSizes {
  mlir::Value rows, columns, inner;
  mlir::Value lhsRow, lhsInner, rhsInner, rhsColumn;
};

/// How large matmuls are cut.
struct BlockChoice {
  /// An i1: panels of the rhs are copied one after the other, for it
  /// is large and many rows read it, or its rows are not contiguous.
  mlir::Value packs;
  /// An i1: strips of the lhs are copied, for its rows are not
  /// contiguous.
  mlir::Value copies;
  /// How much of the inner axis, and how many columns, are done at a time.
  mlir::Value depth, width;
};
BlockChoice chooseBlocks(VectorCode &code, const MatmulVariant &variant,
                         const MatmulSizes &sizes);

/// An i1: there are so few rows that the rhs is read once, row by row.
mlir::Value streamsRows(VectorCode &code, const MatmulVariant &variant,
                        const MatmulSizes &sizes);

/// The same where all accumulators of a row stay in registers.
mlir::Value streamsShortRows(VectorCode &code, const MatmulVariant &variant,
                             const MatmulSizes &sizes);

/// An i1: sixteen rows of the rhs do not share sets of the nearest
/// cache. `row` is how far apart they start.
mlir::Value spreadsOverSets(VectorCode &code, const MatmulVariant &variant,
                            mlir::Value row);

/// An i1: there are so few columns that rows are multiplied with each by
/// itself, along the inner axis.
mlir::Value takesDots(VectorCode &code, const MatmulVariant &variant,
                      const MatmulSizes &sizes);

/// How many columns tiles compute: all, or all but the last few, which are a
/// small part of the last vector and are multiplied with rows each by itself.
mlir::Value columnsOfTiles(VectorCode &code, const MatmulVariant &variant,
                           const MatmulSizes &sizes);

/// An i1: there are so few rows, and columns are contiguous along the inner
/// axis, that each row is multiplied with columns as they are.
mlir::Value takesDotsOfColumns(VectorCode &code, const MatmulVariant &variant,
                               const MatmulSizes &sizes);

/// An i1: there are a few rows and at least one step, which wide tiles are for.
mlir::Value takesWideTiles(VectorCode &code, const MatmulVariant &variant,
                           const MatmulSizes &sizes);
/// Variants whose operands are never widened have such tiles.
bool hasWideTiles(const MatmulVariant &variant);
int64_t getWidePanel(const MatmulVariant &variant);
/// How much of the inner axis such tiles do at a time.
int64_t getWideDepth(const MatmulVariant &variant);

/// Into how many chunks rows and columns are divided for several threads, each
/// of which gets one of some rows and some columns. `countThreads` is told, as
/// an i1, whether more than one would have something to do.
struct ChunkChoice {
  mlir::Value ofRows, ofColumns;
};
ChunkChoice
chooseChunks(VectorCode &code, const MatmulVariant &variant,
             const MatmulSizes &sizes,
             llvm::function_ref<mlir::Value(mlir::Value)> countThreads);

/// Rows of the smallest tile. Others have two more each.
int64_t getLeastTile(const MatmulVariant &variant);

/// Elements of panels and of a strip, and columns of a block, at most; all are
/// as wide as accumulators.
int64_t getPanelRoom(const MatmulVariant &variant);
/// What is written beyond the last panel at most; part of their room.
int64_t getPanelSlack(const MatmulVariant &variant);
int64_t getStripRoom(const MatmulVariant &variant);
int64_t getMostColumns(const MatmulVariant &variant);

/// Columns that are streamed at a time: their accumulators stay in the nearest
/// cache.
int64_t getStreamWidth(const MatmulVariant &variant);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_MATMUL_MATMULHEURISTICS_H
