// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which parameters a function may write, as far as its text tells: what it
/// assigns and stores to, under any name, and what it gives to functions that
/// do. Known before the body is generated.

#ifndef TEGULA_FRONTEND_IRGEN_SIGNATURE_WRITTENPARAMETERS_H
#define TEGULA_FRONTEND_IRGEN_SIGNATURE_WRITTENPARAMETERS_H

#include "tegula/frontend/constants/module/KernelFunction.h"
#include "tegula/frontend/syntax/BoundNames.h"

namespace tegula {

/// All that are written are among them; some may only look so.
NameSet writtenParameters(const KernelFunction &function);

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_SIGNATURE_WRITTENPARAMETERS_H
