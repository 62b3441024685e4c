// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether the iterations of a loop touch different elements because each has a
/// slot of its own, the size of which may be known at run time only.
///
/// A slot along an axis: everything an iteration touches lies between
/// `base + d * pitch` and one pitch times the step further, where `base` and
/// `pitch` are the same in all iterations and `d` is the loop's variable. In
/// `y[i * N + j]` with `j` below `N`, that is base 0 and pitch N.
///
/// Where the variable is taken apart, as in `p // N` and `p % N`, two
/// iterations differ in one of its digits. Each digit needs an axis with slots;
/// what comes before it is then the same in both, and may be part of the base.

#ifndef TEGULA_TRANSFORMS_MEMORY_PERITERATIONSLOTS_H
#define TEGULA_TRANSFORMS_MEMORY_PERITERATIONSLOTS_H

#include "tegula/transforms/parallel/LoopAccesses.h"

namespace tegula {

/// True if two iterations never touch the same element through `accesses`,
/// which all have the same base.
bool havePerIterationSlots(pl::ParallelOp loop,
                           llvm::ArrayRef<const Access *> accesses);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_MEMORY_PERITERATIONSLOTS_H
