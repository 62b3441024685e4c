// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loop over rows, in which pointers go from row to row: products of
/// indices and strides take more registers than there are, and short rows
/// notice.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_ROWPOINTERS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_ROWPOINTERS_H

#include "tegula/backends/cpu/vectorize/NestPart.h"

namespace tegula {

class StridedStaging;
struct CacheHints;

/// Where the row of an operand begins that an iteration of the loop over rows
/// reads or writes, if how far it is from row to row is not known before the
/// call.
struct RowPointer {
  mlir::OpOperand *operand;
  /// An LLVM pointer.
  mlir::Value pointer;
  /// Bytes from this row to the next.
  mlir::Value step;
  /// Bytes from this row to the one that is prefetched; null if none is.
  mlir::Value toPrefetched;
};

class RowPointers : NestPart {
public:
  RowPointers(NestState &state, const CacheHints &hints,
              const StridedStaging &staged)
      : NestPart(state), hints(hints), staged(staged) {}

  /// The loop at this position, in which `emitRow` makes one row.
  void emitLoop(unsigned position,
                llvm::function_ref<void(llvm::ArrayRef<RowPointer>)> emitRow);

private:
  /// The rows of the first iteration.
  llvm::SmallVector<RowPointer> findRows(unsigned position);

  /// How far it is, by so many bytes a row, to the row that the next iteration
  /// of a loop around reads where this one reads this; 0 where that is cached,
  /// or would not stay in a cache until then. Null if it may be in a cache.
  mlir::Value bytesToPrefetched(mlir::OpOperand &operand, mlir::Value step,
                                unsigned loop);

  /// So many elements in bytes, for a loop that takes steps.
  mlir::Value stepOf(mlir::OpFoldResult stride, mlir::Type element,
                     unsigned loop);

  const CacheHints &hints;
  const StridedStaging &staged;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_ROWPOINTERS_H
