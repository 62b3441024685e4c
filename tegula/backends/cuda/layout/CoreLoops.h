// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops whose iterations blocks take, and which of them can be distributed to
/// threads with tiles in registers.

#ifndef TEGULA_BACKENDS_CUDA_LAYOUT_CORELOOPS_H
#define TEGULA_BACKENDS_CUDA_LAYOUT_CORELOOPS_H

#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/rows/VariantRejection.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Loops that are directly inside each other, and together have one iteration
/// for a block.
struct CoreLoop {
  pl::ParallelOp outermost;
  /// Its body is what a block runs.
  pl::ParallelOp innermost;
};

llvm::SmallVector<CoreLoop> findCoreLoops(mlir::func::FuncOp function);

/// What in the loop has no rule for tiles in registers; its op is null if there
/// is nothing.
VariantRejection findUndistributed(pl::ParallelOp loop);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_CORELOOPS_H
