// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loops over vectors that a linalg.generic on memory becomes. The work is
/// done by parts, each with one job; which part knows which others is said
/// here.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_GENERICNEST_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_GENERICNEST_H

#include "tegula/backends/cpu/vectorize/AlignedRows.h"
#include "tegula/backends/cpu/vectorize/CacheHints.h"
#include "tegula/backends/cpu/vectorize/ColumnReductions.h"
#include "tegula/backends/cpu/vectorize/ElementAccess.h"
#include "tegula/backends/cpu/vectorize/ElementLoops.h"
#include "tegula/backends/cpu/vectorize/NestBody.h"
#include "tegula/backends/cpu/vectorize/RowPointers.h"
#include "tegula/backends/cpu/vectorize/RowReductions.h"
#include "tegula/backends/cpu/vectorize/RowTails.h"
#include "tegula/backends/cpu/vectorize/StagedChunks.h"
#include "tegula/backends/cpu/vectorize/StreamingRows.h"
#include "tegula/backends/cpu/vectorize/StridedStaging.h"

namespace tegula {

/// One linalg.generic with one target. The last loop runs in vectors; loops
/// that reduce are inside it unless it is the one that reduces.
class GenericNest {
public:
  GenericNest(mlir::linalg::GenericOp op, unsigned vectorBits)
      : hints(CacheHints::takeFrom(op)), state(op, vectorBits) {}

  /// Makes the loops; the op is gone then.
  void emit();

private:
  void explainSingleElements();

  /// The loops, unless memory is missing.
  void emitNest();

  /// Makes one loop of the last two where all rows lie one after the other.
  void flatten();

  /// The same loops, with stores past the caches.
  void emitStreamed();

  /// The loops over all iterations, or those of a chunk.
  void emitRows();

  /// Loops around the vector: all that do not reduce, in order.
  void emitOuter(unsigned position);

  /// A row of vectors.
  void emitRow(llvm::ArrayRef<RowPointer> rows);

  void emitInner(mlir::OpFoldResult from, mlir::OpFoldResult to);
  void emitVectors(mlir::OpFoldResult from, mlir::OpFoldResult to);

  /// All elements of one vector of the target, the loops that reduce included.
  void emitChunk(mlir::Value mask);

  CacheHints hints;
  NestState state;
  StridedStaging staged{state.builder, state.loc};
  bool isStreamed = false;

  ElementAccess access{state, staged};
  NestBody body{state, access};
  RowTails tails{state};
  ElementLoops elements{state, access};
  RowPointers pointers{state, hints, staged};
  ColumnReductions columns{state, hints, access, body};
  RowReductions rows{state, access, body, tails};
  AlignedRows aligned{state, staged};
  StagedChunks chunks{state, staged};
  StreamingRows streaming{state, hints, staged};
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_GENERICNEST_H
