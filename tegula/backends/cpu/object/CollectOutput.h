// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What writes to a path only, without a file: the path is that of a pipe. A
/// file would need a place that may be full or not there, would stay behind
/// after a crash, and LLVM would change the process's signal handlers to remove
/// it.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_COLLECTOUTPUT_H
#define TEGULA_BACKENDS_CPU_OBJECT_COLLECTOUTPUT_H

#include "tegula/backends/cpu/object/ObjectFile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tegula {

/// The bytes that `write` writes to the path it is given, from beginning to
/// end.
llvm::Expected<FileBytes>
collectOutput(llvm::function_ref<llvm::Error(llvm::StringRef path)> write);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_COLLECTOUTPUT_H
