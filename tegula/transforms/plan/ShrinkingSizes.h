// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which tensors of a parallel loop's turns never need more memory than the
/// first turn does.

#ifndef TEGULA_TRANSFORMS_PLAN_SHRINKINGSIZES_H
#define TEGULA_TRANSFORMS_PLAN_SHRINKINGSIZES_H

#include "tegula/ir/PlOps.h"

namespace tegula {

/// True if the tensor is made in each turn of a parallel loop, and is in none
/// larger than in the one before.
bool shrinksOverTurns(pl::CreateTensorOp op);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_SHRINKINGSIZES_H
