// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Partial results of a reduction along a row, in vectors that a loop carries.
/// The processor's own maximum forgets NaN, and one that does not takes three
/// times as long: so that a maximum is taken plainly, and next to it is noted
/// in which lanes NaN was seen.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_ROWPARTIALS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_ROWPARTIALS_H

#include "tegula/backends/codegen/loops/VectorBody.h"
#include "tegula/transforms/MachineModel.h"

namespace tegula {

class RowPartials {
public:
  using Carried = llvm::SmallVector<mlir::Value>;

  RowPartials(mlir::OpBuilder &builder, mlir::Location loc,
              const Combiner &combiner);

  /// Several vectors of partial results hide the latency of combining. What
  /// takes longer to compute than to read hides it by itself.
  static int64_t countFor(mlir::linalg::GenericOp op,
                          const MachineCosts &costs);

  /// So many vectors in which nothing is combined yet.
  Carried begin(mlir::Value neutral, int64_t count);
  /// Combines an element with each partial result, where the mask is set; null
  /// stands for everywhere.
  Carried combine(mlir::ValueRange carried,
                  llvm::ArrayRef<mlir::Value> elements, mlir::Value mask);
  /// One partial result for all.
  Carried join(mlir::ValueRange carried);
  /// What all lanes of one partial result are together.
  mlir::Value finish(mlir::ValueRange joined);

private:
  mlir::Value pick(mlir::Value before, mlir::Value element);
  mlir::Value findUnordered(llvm::ArrayRef<mlir::Value> elements,
                            mlir::Value before);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Combiner &combiner;
  /// True for the largest or smallest of numbers that the processor compares.
  bool isExtreme;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_ROWPARTIALS_H
