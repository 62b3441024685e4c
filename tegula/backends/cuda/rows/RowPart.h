// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every part of the generator of a row-wise kernel does with its state.

#ifndef TEGULA_BACKENDS_CUDA_ROWS_ROWPART_H
#define TEGULA_BACKENDS_CUDA_ROWS_ROWPART_H

#include "tegula/backends/cuda/rows/RowState.h"

namespace tegula {

/// A part of the generator of a row-wise kernel.
class RowPart {
public:
  /// Parts know each other by where they are.
  RowPart(const RowPart &) = delete;

protected:
  using Value = mlir::Value;
  using Type = mlir::Type;

  explicit RowPart(RowState &state)
      : state(state), program(state.program), builder(state.builder),
        loc(state.loc), code(state.code), math(state.math) {}

  RowState &state;
  const RowwiseKernel &program;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  ThreadCode &code;
  ThreadMath &math;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_ROWS_ROWPART_H
