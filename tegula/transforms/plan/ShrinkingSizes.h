// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which tensors of iterations of parallel loops never need more memory than
/// the first iteration does.

#ifndef TEGULA_TRANSFORMS_PLAN_SHRINKINGSIZES_H
#define TEGULA_TRANSFORMS_PLAN_SHRINKINGSIZES_H

#include "tegula/ir/ops/PlOps.h"

namespace tegula {

/// True if the tensor is made in iterations of parallel loops, and is in no
/// iteration of any of them larger than in the one before.
bool shrinksOverIterations(pl::CreateTensorOp op);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_SHRINKINGSIZES_H
