// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions that a compiled kernel calls, and the libraries that have
/// them: our own and those of the C library.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_KERNELIMPORTS_H
#define TEGULA_BACKENDS_CPU_OBJECT_KERNELIMPORTS_H

#include "tegula/backends/cpu/object/Link.h"

namespace tegula {

/// What object files call and none of them defines, by library.
llvm::Expected<std::vector<Import>>
findImports(llvm::ArrayRef<llvm::StringRef> objects);

/// True if one of those libraries has a function of that name.
bool isLibraryFunction(const std::string &name);

/// What a library of kernels that stands alone is linked with: the archive of
/// what kernels call of ours, and paths of shared libraries.
llvm::Expected<std::vector<std::string>> findStandaloneLibraries();

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_KERNELIMPORTS_H
