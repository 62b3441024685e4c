// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of Python's own functions in a kernel: `min`, `abs`, `math.sqrt`.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_PYTHONCALLS_H
#define TEGULA_FRONTEND_IRGEN_CALLS_PYTHONCALLS_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/emit/Emitter.h"

namespace tegula {

/// What a call of the function `name` is worth; it may be a symbol.
Object callPython(Emitter &emitter, llvm::StringRef name,
                  const CallArguments &arguments);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_PYTHONCALLS_H
