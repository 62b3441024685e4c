// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Says whether the machine's memories hold what a plan puts there, and if not,
/// what is too large and what would fit.

#ifndef TEGULA_TRANSFORMS_PLAN_CHECKCAPACITY_H
#define TEGULA_TRANSFORMS_PLAN_CHECKCAPACITY_H

#include "tegula/transforms/plan/TilePlan.h"

namespace tegula {

/// Fails, with an error at the op that makes the largest tile at the time when
/// most memory is in use, if the tiles do not fit.
mlir::LogicalResult checkCapacity(mlir::func::FuncOp function,
                                  const TilePlan &plan);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_CHECKCAPACITY_H
