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

/// How a loop is distributed to threads.
struct LoopRules {
  /// Why its tiles stay in memory; empty if they need not.
  VariantRejection rejection;
  /// Ops that take and make tiles in memory, outermost ones, and why.
  llvm::SmallVector<VariantRejection> inMemory;
};

LoopRules findRules(pl::ParallelOp loop);

} // namespace tegula

#endif // TEGULA_BACKENDS_CUDA_LAYOUT_CORELOOPS_H
