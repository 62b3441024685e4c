// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From where to where in the program a buffer holds something that is still
/// read.

#ifndef TEGULA_TRANSFORMS_PLAN_LIFETIMES_H
#define TEGULA_TRANSFORMS_PLAN_LIFETIMES_H

#include "tegula/transforms/plan/Placement.h"

namespace tegula {

/// Positions in program order, both included. Every op has one, those with
/// regions one before and one after what is in them.
struct Lifetime {
  unsigned first;
  unsigned last;

  bool overlaps(const Lifetime &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// The lifetimes of a placement's buffers, in their order. A buffer that is
/// made outside a loop and used inside lives until the loop ends.
llvm::SmallVector<Lifetime> computeLifetimes(mlir::func::FuncOp function,
                                             Fusion &fusion,
                                             const Placement &placement);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_LIFETIMES_H
