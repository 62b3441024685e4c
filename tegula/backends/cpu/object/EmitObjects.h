// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From LLVM IR to object files. No function is inlined in another, so the
/// functions of a large module are made code of by two threads, half by each.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_EMITOBJECTS_H
#define TEGULA_BACKENDS_CPU_OBJECT_EMITOBJECTS_H

#include "tegula/backends/cpu/CpuOptions.h"
#include "tegula/backends/cpu/object/ObjectFile.h"

#include "llvm/IR/Module.h"

#include <vector>

namespace tegula {

/// Optimises the module and makes code of it: one object file, or two that are
/// linked together if it has `leastHalved` instructions in several functions.
llvm::Expected<std::vector<FileBytes>> emitObjects(llvm::Module &module,
                                                   llvm::TargetMachine &machine,
                                                   const CpuOptions &options,
                                                   unsigned leastHalved = 1200);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_EMITOBJECTS_H
