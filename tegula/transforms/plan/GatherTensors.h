// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes the tensors of a block in one place, so that one piece of memory can
/// hold them all.

#ifndef TEGULA_TRANSFORMS_PLAN_GATHERTENSORS_H
#define TEGULA_TRANSFORMS_PLAN_GATHERTENSORS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Moves the ops that make tensors behind the first one of their block, and
/// what only computes their sizes before it. A tensor whose size is known later
/// only, because it depends on data, stays where it is.
void gatherTensors(mlir::func::FuncOp function);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_GATHERTENSORS_H
