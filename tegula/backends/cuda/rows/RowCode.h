// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Emits the steps of a RowwiseKernel for the elements that one thread has of a
/// row. The work is done by parts, each with one job; which part knows which
/// others is said here.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWCODE_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWCODE_H

#include "tegula/backends/cuda/rows/NarrowWords.h"
#include "tegula/backends/cuda/rows/RowArithmetic.h"
#include "tegula/backends/cuda/rows/RowQuotients.h"
#include "tegula/backends/cuda/rows/RowReader.h"
#include "tegula/backends/cuda/rows/RowSteps.h"
#include "tegula/backends/cuda/rows/RowTensors.h"
#include "tegula/backends/cuda/rows/RowValues.h"
#include "tegula/backends/cuda/rows/RowWriter.h"
#include "tegula/backends/cuda/rows/RunByRun.h"

namespace tegula {

/// What derives from it makes a function, reads the slots of the call, says
/// which elements a thread has, and then emits the steps.
class RowCode {
public:
  /// A thread has so many elements, `side` of them side by side in memory.
  RowCode(mlir::ModuleOp module, mlir::func::FuncOp kernel,
          const RowwiseKernel &program, int64_t numElements, int64_t side)
      : state(module, kernel, program, numElements, side), program(program) {}
  RowCode(const RowCode &) = delete;

protected:
  using Value = mlir::Value;
  using Type = mlir::Type;

  RowState state;
  const RowwiseKernel &program;
  mlir::OpBuilder &builder = state.builder;
  mlir::Location loc = state.loc;
  ThreadCode &code = state.code;
  ThreadMath &math = state.math;

  RowValues values{program};
  NarrowWords words{state};
  RowTensors tensors{state, values, words};
  RowReader reader{state, values, words, tensors};
  RowWriter writer{state, values, words, tensors, reader};
  RowQuotients quotients{state};
  RowArithmetic arithmetic{state, values, words, quotients};
  RunByRun runByRun{state, values, reader};
  RowSteps steps{state, values, reader, writer, arithmetic, runByRun};
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWCODE_H
