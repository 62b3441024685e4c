// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Casts that give the nearest finite number where the value is out of range.

#ifndef TEGULA_FRONTEND_BUILTINS_SATURATEDCAST_H
#define TEGULA_FRONTEND_BUILTINS_SATURATEDCAST_H

#include "tegula/frontend/emit/Emitter.h"

namespace tegula {

/// What is out of the range of `element` becomes the nearest finite number of
/// it; NaN stays, or becomes 0 as an integer.
Object castSaturated(Emitter &emitter, mlir::Location loc,
                     const Object &operand, mlir::Type element,
                     pl::Rounding rounding);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_SATURATEDCAST_H
