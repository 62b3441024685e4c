// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes the elements that a thread has of a row.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWWRITER_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWWRITER_H

#include "tegula/backends/cuda/rows/RowPart.h"

namespace tegula {

class NarrowWords;
class RowReader;
class RowTensors;
struct RowValues;

class RowWriter : RowPart {
public:
  RowWriter(RowState &state, RowValues &values, NarrowWords &words,
            RowTensors &tensors, RowReader &reader)
      : RowPart(state), values(values), words(words), tensors(tensors),
        reader(reader) {}

  void emit(pl::StoreOp store);

private:
  /// Elements of each run, as they are written at once.
  using Packed = llvm::SmallVector<llvm::SmallVector<Value>>;

  /// Where both hold, of which each may be null.
  Value where(Value mask);
  Packed pack(const RowAccess &access, Value tile);
  Value packRun(Value tile, size_t first, int64_t count);
  void storeRuns(const RowAccess &access, const Packed &packed);
  void storeRun(const RowAccess &access, const RowRun &run,
                llvm::ArrayRef<Value> words, Value mask);

  RowValues &values;
  NarrowWords &words;
  RowTensors &tensors;
  RowReader &reader;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWWRITER_H
