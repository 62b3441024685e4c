// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every part of the generator of a nest does with its state.

#ifndef TEGULA_BACKENDS_CPU_VECTORIZE_NESTPART_H
#define TEGULA_BACKENDS_CPU_VECTORIZE_NESTPART_H

#include "tegula/backends/cpu/vectorize/NestState.h"

namespace tegula {

/// A part of the generator of a nest.
class NestPart {
public:
  /// Parts know each other by where they are.
  NestPart(const NestPart &) = delete;

protected:
  explicit NestPart(NestState &state)
      : state(state), op(state.op), builder(state.builder), loc(state.loc),
        math(state.math), lanes(state.width.lanes) {}

  NestState &state;
  mlir::linalg::GenericOp op;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath &math;
  /// How many elements a vector has here.
  const int64_t &lanes;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_VECTORIZE_NESTPART_H
