// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows that are reduced to one element each, in vectors of partial results.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_ROWREDUCTIONS_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_ROWREDUCTIONS_H

#include "tegula/backends/cpu/vectorize/NestPart.h"
#include "tegula/backends/cpu/vectorize/RowPartials.h"

namespace tegula {

class ElementAccess;
class NestBody;
class RowTails;

class RowReductions : NestPart {
public:
  RowReductions(NestState &state, ElementAccess &access, NestBody &body,
                RowTails &tails)
      : NestPart(state), access(access), body(body), tails(tails) {}

  /// Combines the target with the elements of a row.
  void emit(mlir::OpFoldResult from, mlir::OpFoldResult to);

private:
  /// The elements of a row, combined.
  RowPartials::Carried reduceRow(mlir::OpFoldResult from,
                                 mlir::OpFoldResult to);

  /// Whole vectors, as many at once as there are partial results, of which one
  /// is left.
  RowPartials::Carried emitPartials(mlir::OpFoldResult from,
                                    mlir::OpFoldResult to, int64_t count,
                                    mlir::ValueRange before);

  /// Adds the last vector of a row, which may be half as long.
  RowPartials::Carried combineLast(mlir::OpFoldResult to,
                                   mlir::ValueRange carried);

  /// A whole vector of which the first half is computed.
  mlir::Value computeHalf(mlir::OpFoldResult to);

  /// What `emit` makes of a range if it has elements, else what there was
  /// `before`.
  RowPartials::Carried ifAny(mlir::OpFoldResult from, mlir::OpFoldResult to,
                             mlir::ValueRange before,
                             llvm::function_ref<RowPartials::Carried()> emit);

  void store(mlir::ValueRange total);

  ElementAccess &access;
  NestBody &body;
  RowTails &tails;
  /// Those of the row that is being reduced.
  std::optional<RowPartials> partials;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_ROWREDUCTIONS_H
