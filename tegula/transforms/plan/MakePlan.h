// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The way to a plan that code can be made from.

#ifndef TEGULA_TRANSFORMS_PLAN_MAKEPLAN_H
#define TEGULA_TRANSFORMS_PLAN_MAKEPLAN_H

#include "tegula/transforms/plan/TilePlan.h"

namespace tegula {

/// Prepares the function for planning, which changes it, and plans it. Fails,
/// with an error at an op, if a tile has no bound, if the tiles do not fit the
/// machine's memories, or if the plan is wrong.
mlir::FailureOr<std::unique_ptr<TilePlan>>
makePlan(mlir::func::FuncOp function, const MachineModel &machine);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_MAKEPLAN_H
