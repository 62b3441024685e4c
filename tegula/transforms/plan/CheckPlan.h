// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Says whether a plan loses anything. Knows what ops read and write, and
/// nothing of lifetimes: it follows what lies where as the program runs.

#ifndef TEGULA_TRANSFORMS_PLAN_CHECKPLAN_H
#define TEGULA_TRANSFORMS_PLAN_CHECKPLAN_H

#include "tegula/transforms/plan/TilePlan.h"

namespace tegula {

/// Fails, with an error at the op that reads it, if a tile is overwritten by
/// another before it is read for the last time.
mlir::LogicalResult checkPlan(mlir::func::FuncOp function, TilePlan &plan);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_CHECKPLAN_H
