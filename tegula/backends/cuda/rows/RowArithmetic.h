// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops that compute each element by itself, and those on numbers.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWARITHMETIC_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWARITHMETIC_H

#include "tegula/backends/cuda/rows/RowPart.h"

namespace tegula {

class NarrowWords;
class RowQuotients;
struct RowValues;

class RowArithmetic : RowPart {
public:
  RowArithmetic(RowState &state, RowValues &values, NarrowWords &words,
                RowQuotients &quotients)
      : RowPart(state), values(values), words(words), quotients(quotients) {}

  /// Computes all elements of the result.
  void emitElements(mlir::Operation *op);
  /// Computes a result that is no tile.
  void emitNumber(mlir::Operation *op);

private:
  llvm::SmallVector<Value> operandsAt(mlir::Operation *op, size_t i);
  bool isShared(Value first, Value second) const;
  Value emitElement(pl::ElementwiseOpInterface op,
                    llvm::ArrayRef<Value> operands);

  RowValues &values;
  NarrowWords &words;
  RowQuotients &quotients;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWARITHMETIC_H
