// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From LLVM IR to a relocatable object file in memory.

#ifndef TEGULA_BACKENDS_CPU_OBJECTFILE_H
#define TEGULA_BACKENDS_CPU_OBJECTFILE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace tegula {

/// The bytes of a file.
using FileBytes = llvm::SmallVector<char, 0>;

/// The position-independent machine code of an optimised module, as an ELF
/// object. Uses up the module.
llvm::Expected<FileBytes> emitObject(llvm::Module &module,
                                     llvm::TargetMachine &machine);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECTFILE_H
