// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Python's module `math`, as far as numbers known while compiling go.

#ifndef TEGULA_FRONTEND_CONSTANTS_LIBRARY_MATHMODULE_H
#define TEGULA_FRONTEND_CONSTANTS_LIBRARY_MATHMODULE_H

#include "tegula/frontend/constants/Object.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// The module itself: `math.pi` and the like are numbers, its functions are
/// builtins called `math.sqrt`.
Object mathModule();

/// The result of a function of the module, whose name comes without `math.`;
/// nothing if it does not take these arguments, an UnusableObject if it has no
/// value for them.
std::optional<Object> foldMathCall(llvm::StringRef name,
                                   llvm::ArrayRef<Object> arguments);

} // namespace tegula

#endif // TEGULA_FRONTEND_CONSTANTS_LIBRARY_MATHMODULE_H
