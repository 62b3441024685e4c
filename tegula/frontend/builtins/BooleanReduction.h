// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions and scans of BOOL: sums are counts, extremes are BOOL again. The
/// types are those of ir/ops/semantics/Reduction.h.

#ifndef TEGULA_FRONTEND_BUILTINS_BOOLEANREDUCTION_H
#define TEGULA_FRONTEND_BUILTINS_BOOLEANREDUCTION_H

#include "tegula/frontend/builtins/BuiltinCall.h"

namespace tegula {

/// A tensor or tile of BOOL as a tile of 0 and 1 that a reduction along `axes`
/// combines; of numbers it stays as it is.
mlir::Value countedBooleans(const BuiltinCall &call, pl::Reduction reduction,
                            mlir::Value shaped, llvm::ArrayRef<unsigned> axes);

/// What elements such as those of `shaped` have been reduced to: extremes of
/// BOOL are BOOL.
Object reducedBooleans(const BuiltinCall &call, pl::Reduction reduction,
                       mlir::Value shaped, const Object &reduced);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_BOOLEANREDUCTION_H
