// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Independent loops directly inside each other. Their iterations together can
/// be distributed as those of one loop.

#ifndef TEGULA_TRANSFORMS_PARALLEL_PARALLELNEST_H
#define TEGULA_TRANSFORMS_PARALLEL_PARALLELNEST_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// The loops from `outermost` on, as deep as each has one independent loop in
/// it, with bounds that are known in front of them all, and everything else
/// between them can as well be computed in each iteration of the innermost.
llvm::SmallVector<pl::ParallelOp> findParallelNest(pl::ParallelOp outermost);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PARALLEL_PARALLELNEST_H
