// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sums of rows, and other reductions: of a thread's elements, then of a
/// warp's, then of a block's.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWSUMS_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWSUMS_H

#include "tegula/backends/cuda/rows/RowPart.h"
#include "tegula/launch/gpu/variants/GpuRows.h"

namespace tegula {

class RowPrefetches;
class RunByRun;
struct RowValues;

/// Which threads have the row.
struct RowThreads {
  /// How many share it.
  mlir::Value width;
  mlir::Value laneOfWarp, warp, numWarps;
};

class RowSums : RowPart {
public:
  RowSums(RowState &state, const RowValues &values, RunByRun &runByRun,
          RowPrefetches &prefetches, const GpuRowVariant &variant)
      : RowPart(state), values(values), runByRun(runByRun),
        prefetches(prefetches), variant(variant) {}

  /// All threads of the row get it.
  Value emit(pl::ReduceOp op);

  RowThreads threads;

private:
  Value combine(pl::ReduceOp op, Value lhs, Value rhs);
  Value combineAll(pl::ReduceOp op, llvm::SmallVector<Value> parts);
  Value sumOfThread(pl::ReduceOp op, Value neutral);
  Value sumOfWarp(pl::ReduceOp op, Value sum);
  Value sumOfBlock(pl::ReduceOp op, Value sum, Value neutral);
  bool writesWhatIsRead() const;
  bool hasFewPartials() const;

  const RowValues &values;
  RunByRun &runByRun;
  RowPrefetches &prefetches;
  const GpuRowVariant &variant;
  int64_t numSums = 0;
  bool hasPrefetched = false;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWSUMS_H
