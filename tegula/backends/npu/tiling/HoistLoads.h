// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a loop loads again and again is loaded once, before it.

#ifndef TEGULA_BACKENDS_NPU_TILING_HOISTLOADS_H
#define TEGULA_BACKENDS_NPU_TILING_HOISTLOADS_H

#include "tegula/transforms/MachineModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Moves loads out of loops in which neither their windows change nor what
/// lies there is written, unless the machine has no room to keep them. Authors
/// often name a window outside of a loop and use it inside.
void hoistLoads(mlir::func::FuncOp function, const MachineModel &machine);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TILING_HOISTLOADS_H
