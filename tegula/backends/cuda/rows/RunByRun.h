// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What follows the last sum of a row, one group of elements after the other.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_RUNBYRUN_H
#define TEGULA_BACKENDS_CUDA_ROWS_RUNBYRUN_H

#include "tegula/backends/cuda/rows/RowPart.h"

namespace tegula {

class RowReader;
struct RowValues;

class RunByRun : RowPart {
public:
  RunByRun(RowState &state, RowValues &values, RowReader &reader)
      : RowPart(state), values(values), reader(reader) {}

  /// Whether that pays: it reads what lies in another way than rows do, which
  /// takes registers for long, and writes only then. Results of 16 bits are
  /// quicker at once.
  bool isChosen() const;
  /// What follows the last sum.
  llvm::ArrayRef<mlir::Operation *> findTail() const;
  /// Emits that; `emitStep` makes one step for the runs of a group.
  void emit(llvm::function_ref<void(mlir::Operation *)> emitStep);

private:
  /// Elements of all runs, as they are before the first group.
  struct AllRuns;
  /// The elements that loads find.
  using Found = llvm::SmallVector<llvm::SmallVector<Value>>;

  bool hasColumns(mlir::Operation *op) const;
  void emitGroups(llvm::ArrayRef<pl::LoadOp> loads,
                  llvm::function_ref<void()> emitOthers);
  size_t enter(const AllRuns &all, size_t begin, size_t first);
  Found readGroup(llvm::ArrayRef<pl::LoadOp> loads);

  RowValues &values;
  RowReader &reader;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_RUNBYRUN_H
