// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Divisions that are common in row-wise kernels, in fewer instructions.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWQUOTIENTS_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWQUOTIENTS_H

#include "tegula/backends/cuda/rows/RowPart.h"

namespace tegula {

class RowQuotients : RowPart {
public:
  explicit RowQuotients(RowState &state) : RowPart(state) {}

  /// x / (1 + exp(y)) to some 18 bits, if that can be; else null.
  Value emitByOnePlusExp(Value dividend, Value divisor);
  /// Two quotients x / (1 + exp(-x)) to some 18 bits, if they are such; else
  /// none.
  llvm::SmallVector<Value> emitTwoSilu(llvm::ArrayRef<Value> first,
                                       llvm::ArrayRef<Value> second);
  /// x / y for all elements of a row, which share y.
  llvm::SmallVector<Value> emitQuotients(llvm::ArrayRef<Value> dividends,
                                         Value divisor);

private:
  Value callIntrinsic(llvm::StringRef name, mlir::ValueRange operands);
  Value numberOf(float value);
  Value emitPowerOfTwo(Value power);
  Value correctQuotient(Value dividend, Value divisor, Value inverse,
                        Value quotient);
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWQUOTIENTS_H
