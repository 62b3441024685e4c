// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows that begin with the elements up to the first aligned vector of the
/// target: what crosses lines of the cache takes twice as long.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_ALIGNEDROWS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_ALIGNEDROWS_H

#include "tegula/backends/cpu/vectorize/NestPart.h"

namespace tegula {

class StridedStaging;

class AlignedRows : NestPart {
public:
  AlignedRows(NestState &state, StridedStaging &staged)
      : NestPart(state), staged(staged) {}

  /// How many elements from this one on lie before an aligned vector.
  mlir::OpFoldResult elementsToAlignment(mlir::OpFoldResult from);

  /// What `emitVectors` makes of a range: of long rows for two, of which the
  /// first ends at an aligned vector.
  void emit(mlir::OpFoldResult from, mlir::OpFoldResult to,
            llvm::function_ref<void(mlir::OpFoldResult, mlir::OpFoldResult)>
                emitVectors);

private:
  mlir::Value compare(mlir::arith::CmpIPredicate predicate,
                      mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  mlir::OpFoldResult select(mlir::Value condition, mlir::OpFoldResult ifTrue,
                            mlir::OpFoldResult ifFalse);

  StridedStaging &staged;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_ALIGNEDROWS_H
