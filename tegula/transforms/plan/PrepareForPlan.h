// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The last change to a function before it is planned.

#ifndef TEGULA_TRANSFORMS_PLAN_PREPAREFORPLAN_H
#define TEGULA_TRANSFORMS_PLAN_PREPAREFORPLAN_H

#include "tegula/transforms/MachineModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Leaves only loops and branches as regions, and takes out what says extents,
/// which whoever makes code for tiles knows, and memories that the machine does
/// not have. Puts in the moves that the machine needs.
void prepareForPlan(mlir::func::FuncOp function, const MachineModel &machine);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_PREPAREFORPLAN_H
