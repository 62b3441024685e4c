// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads the elements that a thread has of a row, as many at once as lie
/// together.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWREADER_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWREADER_H

#include "tegula/backends/cuda/rows/RowPart.h"

#include <functional>

namespace tegula {

class NarrowWords;
class RowTensors;
struct RowValues;

class RowReader : RowPart {
public:
  RowReader(RowState &state, RowValues &values, NarrowWords &words,
            RowTensors &tensors)
      : RowPart(state), values(values), words(words), tensors(tensors) {}

  void emit(pl::LoadOp load);

  /// Elements of a run that are read at once from memory, as a vector.
  Value readRunFromMemory(const RowAccess &access, const RowRun &run, Type type,
                          unsigned alignment);
  /// Reads them in another way, if it is set.
  std::function<Value(const RowAccess &, const RowRun &, Type, unsigned)>
      readTogether;

  /// What was read of tensors since the last store.
  using Loaded = llvm::DenseMap<Value, Value>;
  const Loaded &getLoaded() const { return loaded; }
  void setLoaded(const Loaded &known) { loaded = known; }
  /// Tensors may be the same memory.
  void forgetLoaded() { loaded.clear(); }

private:
  /// What is in memory. Outputs share it with no other tensor.
  Value read(const RowAccess &access, Type type, Value address,
             unsigned alignment = 0);
  llvm::SmallVector<Value> readRun(const RowAccess &access, const RowRun &run);
  /// Elements one by one.
  llvm::SmallVector<Value> readSingles(const RowAccess &access,
                                       const RowRun &run);
  /// Elements of 16 bits, two in each word.
  llvm::SmallVector<Value> readPairs(const RowAccess &access,
                                     const RowRun &run);
  Value readVector(const RowAccess &access, const RowRun &run, Type type,
                   unsigned alignment);
  llvm::SmallVector<Value> readWords(const RowAccess &access, Value address,
                                     int64_t bytes);
  llvm::SmallVector<Value> readApart(const RowAccess &access,
                                     const RowRun &run);
  llvm::SmallVector<Value> readFourApart(const RowAccess &access,
                                         const RowRun &run);

  RowValues &values;
  NarrowWords &words;
  RowTensors &tensors;
  Loaded loaded;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWREADER_H
