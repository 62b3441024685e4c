// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ops that are better kept than computed again.

#ifndef TEGULA_TRANSFORMS_EXPENSIVEOPS_H
#define TEGULA_TRANSFORMS_EXPENSIVEOPS_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// True for ops that take longer than it takes to read what they gave.
inline bool isExpensive(mlir::Operation *op) {
  return mlir::isa<pl::ExpOp, pl::LogOp, pl::SinOp, pl::CosOp, pl::TanhOp,
                   pl::ErfOp, pl::PowOp>(op);
}

} // namespace tegula

#endif // TEGULA_TRANSFORMS_EXPENSIVEOPS_H
