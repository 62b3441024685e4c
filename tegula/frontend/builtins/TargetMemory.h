// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `target_memory=pl.Mem.Left`: the memory that an author wants a tile or a
/// tensor in. Targets that have it put it there.

#ifndef TEGULA_FRONTEND_BUILTINS_TARGETMEMORY_H
#define TEGULA_FRONTEND_BUILTINS_TARGETMEMORY_H

#include "tegula/frontend/builtins/CallArguments.h"
#include "tegula/frontend/emit/Emitter.h"

namespace tegula {

/// The result of a call, marked with the memory that the call asks for.
Object assignMemory(Emitter &emitter, const CallArguments &arguments,
                    const Object &result);

} // namespace tegula

#endif // TEGULA_FRONTEND_BUILTINS_TARGETMEMORY_H
