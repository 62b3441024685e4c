// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much scratch memory a kernel may need, and how many iterations it has,
/// as arithmetic on the slots of a call: what the host must know before a
/// launch.

#ifndef TEGULA_BACKENDS_CUDA_THREADS_SCRATCHBOUNDS_H
#define TEGULA_BACKENDS_CUDA_THREADS_SCRATCHBOUNDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Values of the host, all i64.
struct LaunchBounds {
  mlir::Value commonBytes, ownBytes, iterations;
};

/// Emits the bounds for a kernel between LowerTiles and distribution.
/// `slots` is the host's pointer to the slots. Where sizes come from data, room
/// for some megabytes is made, and the kernel reports if it needs more.
LaunchBounds emitLaunchBounds(mlir::OpBuilder &builder, mlir::Value slots,
                              mlir::func::FuncOp kernel);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_THREADS_SCRATCHBOUNDS_H
