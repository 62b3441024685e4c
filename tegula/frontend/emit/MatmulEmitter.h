// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls, of vectors and of batches too.

#ifndef TEGULA_FRONTEND_EMIT_MATMULEMITTER_H
#define TEGULA_FRONTEND_EMIT_MATMULEMITTER_H

#include "tegula/frontend/emit/EmitterPart.h"

namespace tegula {

/// How a matmul takes its operands.
struct MatmulFlags {
  bool transposeLhs = false, transposeRhs = false;
  /// How they may be rounded, if they may.
  std::optional<pl::Precision> precision = std::nullopt;
};

class MatmulEmitter : EmitterPart {
public:
  using EmitterPart::EmitterPart;

  /// `lhs @ rhs`, added to `acc` unless it is null.
  Object build(mlir::Location loc, const Object &lhs, const Object &rhs,
               mlir::Value acc, const MatmulFlags &flags = {});

private:
  bool checkOperands(mlir::Location loc, mlir::Value lhs, unsigned lhsAxis,
                     mlir::Value rhs, unsigned rhsAxis);
  bool checkAccumulator(mlir::Location loc, mlir::Value acc, mlir::Value lhs,
                        unsigned rows, mlir::Value rhs, unsigned columns);
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_MATMULEMITTER_H
