// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whole rows that are combined with each other, as in column sums: a few rows
/// at a time, or a few vectors of all rows.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_COLUMNREDUCTIONS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_COLUMNREDUCTIONS_H

#include "tegula/backends/cpu/vectorize/NestPart.h"

namespace tegula {

class ElementAccess;
class NestBody;
struct CacheHints;

class ColumnReductions : NestPart {
public:
  ColumnReductions(NestState &state, const CacheHints &hints,
                   ElementAccess &access, NestBody &body)
      : NestPart(state), hints(hints), access(access), body(body) {}

  /// All rows, a few at a time where they are combined with each other.
  /// `emitRows` makes the loops inside, for the rows in the range of the first
  /// loop, or for those of this iteration.
  void emit(llvm::function_ref<void()> emitRows);

  /// True while an iteration combines a few rows.
  bool hasFewRows() const { return rowsPerIteration != 0; }
  /// The rows of one iteration, for one vector.
  mlir::Value combineFewRows(mlir::Value before, mlir::Value mask);

  /// All rows, for several vectors at a time: combining one waits for the one
  /// before. Returns where those begin that are too few for that.
  mlir::OpFoldResult emitStrips(mlir::OpFoldResult from, mlir::OpFoldResult to);

private:
  /// True if whole rows are combined with each other.
  bool combinesRows() const {
    return state.combiner && lanes > 1 && state.numLoops == 2 &&
           state.isReduction(0) && !state.isReduction(1);
  }
  /// True if rows are combined in so few instructions that they can be written
  /// out several times.
  bool isWrittenOut() const;

  /// So many rows in each iteration, up to `to`. Where they are out of cache,
  /// the next ones are prefetched: each is a page or so, and processors look
  /// no further by themselves.
  void emitFewRows(mlir::OpFoldResult to, int64_t count,
                   llvm::function_ref<void()> emitRows);
  void emitRest(mlir::OpFoldResult from, mlir::OpFoldResult to,
                llvm::function_ref<void()> emitRows);
  void emitStrip(int64_t count);

  /// Prefetches what one vector needs of the rows of the next iteration.
  void prefetchNextRows();

  const CacheHints &hints;
  ElementAccess &access;
  NestBody &body;
  /// How many rows are combined in an iteration, if their number is known.
  int64_t rowsPerIteration = 0;
  bool prefetchesNextRows = false;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_COLUMNREDUCTIONS_H
