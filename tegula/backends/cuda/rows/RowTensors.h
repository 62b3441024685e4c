// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the tensors of a call have the rows and elements of a thread.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWTENSORS_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWTENSORS_H

#include "tegula/backends/cuda/rows/RowPart.h"

namespace tegula {

class NarrowWords;
struct RowValues;

/// The type of a tensor's elements, as machine code has it.
mlir::Type getElementType(const RowAccess &access);
/// How elements side by side are aligned that are read at once.
unsigned alignmentOf(mlir::Type element, int64_t count);

class RowTensors : RowPart {
public:
  RowTensors(RowState &state, RowValues &values, NarrowWords &words)
      : RowPart(state), values(values), words(words) {}

  /// Reads the slots of a call, and with them `rows` and `columns`. `slotAt`
  /// emits what is in one of them.
  void readSlots(llvm::function_ref<Value(unsigned slot, Type type)> slotAt);
  /// The same where slots are in memory.
  void readSlots(Value memory);

  /// Where the row, or another one, begins in a tensor.
  Value rowOf(const RowAccess &access) { return rowOf(access, state.row); }
  Value rowOf(const RowAccess &access, Value row);
  /// Where the tensor begins for this row and these columns.
  Value startOf(const RowAccess &access);
  /// Where a tensor has the element of this row at an index.
  Value addressOf(const RowAccess &access, Value column);
  /// So many elements further on.
  Value after(Value address, Type element, int64_t count);

private:
  /// What is known of a tensor.
  struct Memory {
    Value data, rowStride;
  };

  void readExtents(llvm::ArrayRef<llvm::SmallVector<Value>> sizes);

  RowValues &values;
  NarrowWords &words;
  llvm::DenseMap<Value, Memory> memories;
  llvm::DenseMap<Value, Value> starts;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWTENSORS_H
