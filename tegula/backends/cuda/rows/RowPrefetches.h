// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows that blocks read later are prefetched.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWPREFETCHES_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWPREFETCHES_H

#include "tegula/backends/cuda/rows/RowPart.h"

namespace tegula {

class RowTensors;

class RowPrefetches : RowPart {
public:
  RowPrefetches(RowState &state, RowTensors &tensors)
      : RowPart(state), tensors(tensors) {}

  /// Asks for rows that others will read later, where so many threads share
  /// one that has so many columns at most: while blocks sum up they read
  /// nothing, and few of them are there at once.
  void emit(Value width, int64_t mostColumns);

private:
  /// The tensors that have rows to read.
  llvm::SmallVector<RowAccess> findReads() const;
  void emitReads(llvm::ArrayRef<RowAccess> reads, Value later);

  RowTensors &tensors;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWPREFETCHES_H
