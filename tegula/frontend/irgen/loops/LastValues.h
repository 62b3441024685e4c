// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names that only the body of a loop binds, and what they stand for after it.
/// What means the same in every iteration is there whether the loop runs or
/// not. Other values are those of the last iteration: they come out of the loop
/// as what goes around does, and the loop has to run.

#ifndef TEGULA_FRONTEND_IRGEN_LOOPS_LASTVALUES_H
#define TEGULA_FRONTEND_IRGEN_LOOPS_LASTVALUES_H

#include "tegula/frontend/irgen/loops/LoopBody.h"

namespace tegula {

/// True if an object contains a value made inside `region`.
bool isMadeIn(const Object &object, mlir::Region &region);

/// The variables that `before` does not have and that mean the same in every
/// iteration of `loop`: tasks, and tensors that were there before it.
Scope lastingVariables(const Scope &scope, const Scope &before,
                       mlir::Operation *loop);

/// Finds the names that `before` does not have, whose values come from the last
/// iteration and are read after the loop. True if some were not known.
bool findLastValues(FunctionState &state, const LoopBody &body,
                    const Scope &before, mlir::Operation *loop,
                    LoopTypes &types);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_LOOPS_LASTVALUES_H
