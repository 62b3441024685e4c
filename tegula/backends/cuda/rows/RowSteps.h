// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The steps of a row-wise kernel, in order.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWSTEPS_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWSTEPS_H

#include "tegula/backends/cuda/rows/RowPart.h"

namespace tegula {

class RowArithmetic;
class RowReader;
class RowWriter;
class RunByRun;
struct RowValues;

class RowSteps : RowPart {
public:
  RowSteps(RowState &state, RowValues &values, RowReader &reader,
           RowWriter &writer, RowArithmetic &arithmetic, RunByRun &runByRun)
      : RowPart(state), values(values), reader(reader), writer(writer),
        arithmetic(arithmetic), runByRun(runByRun) {}

  /// Makes the elements of what no thread computes by itself: sums of rows,
  /// and a matmul.
  using EmitShared =
      llvm::function_ref<llvm::SmallVector<Value>(mlir::Operation *)>;
  void emit(EmitShared emitShared);

private:
  void emitStep(mlir::Operation *op, EmitShared emitShared);

  RowValues &values;
  RowReader &reader;
  RowWriter &writer;
  RowArithmetic &arithmetic;
  RunByRun &runByRun;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWSTEPS_H
