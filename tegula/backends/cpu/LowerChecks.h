// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is checked while the kernel runs: each function reports what is wrong
/// and gives the lowered result.

#ifndef TEGULA_BACKENDS_CPU_LOWERCHECKS_H
#define TEGULA_BACKENDS_CPU_LOWERCHECKS_H

#include "tegula/backends/cpu/TileLowering.h"
#include "tegula/ir/ops/PlRequireOps.h"

namespace tegula {

/// The index, or the extent where it is not below that.
mlir::Value lowerCheck(TileLowering &lowering, pl::CheckIndexOp op);
/// The end of the loop, or its start where the step is not positive.
mlir::Value lowerCheck(TileLowering &lowering, pl::CheckStepOp op);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_LOWERCHECKS_H
