// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of elementwise ops by their own names, such as `pl.exp(x)`.

#ifndef TEGULA_FRONTEND_BUILTINS_ELEMENTWISE_H
#define TEGULA_FRONTEND_BUILTINS_ELEMENTWISE_H

#include "tegula/frontend/builtins/BuiltinCall.h"

namespace tegula {

/// Builds the op of that name from the arguments of a call.
Object buildElementwise(BuiltinCall &&call, llvm::StringRef mnemonic);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_ELEMENTWISE_H
