// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From LLVM IR to a relocatable object file in memory.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_OBJECTFILE_H
#define TEGULA_BACKENDS_CPU_OBJECT_OBJECTFILE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace tegula {

/// The bytes of a file.
using FileBytes = llvm::SmallVector<char, 0>;

/// Writes the machine code of an optimised module to `stream`, as an object
/// file or as text, without the passes of LLVM that are named. Uses up the
/// module. What LLVM finds wrong is an error; it ends the step that runs if
/// that is no longer wanted.
llvm::Error emitCode(llvm::Module &module, llvm::TargetMachine &machine,
                     llvm::CodeGenFileType type,
                     llvm::raw_pwrite_stream &stream,
                     llvm::ArrayRef<llvm::StringLiteral> leftOut = {});

/// The position-independent machine code of an optimised module, as an ELF
/// object. Uses up the module.
llvm::Expected<FileBytes> emitObject(llvm::Module &module,
                                     llvm::TargetMachine &machine);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_OBJECTFILE_H
