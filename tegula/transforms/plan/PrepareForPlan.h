// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The last change to a function before it is planned.

#ifndef TEGULA_TRANSFORMS_PLAN_PREPAREFORPLAN_H
#define TEGULA_TRANSFORMS_PLAN_PREPAREFORPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Leaves only loops and branches as regions, and takes out what says extents:
/// whoever makes code for tiles knows them.
void prepareForPlan(mlir::func::FuncOp function);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_PREPAREFORPLAN_H
