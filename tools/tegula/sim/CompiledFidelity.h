// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How near compiled kernels are to measured silicon. Those that were timed are
/// shipped next to the measurements, written in the language.

#ifndef TEGULA_TOOLS_COMPILEDFIDELITY_H
#define TEGULA_TOOLS_COMPILEDFIDELITY_H

#include "tegula/support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula {

/// Compiles the kernels and writes the errors of all rows.
[[nodiscard]] Error writeCompiledFidelity(llvm::raw_ostream &out);

} // namespace tegula

#endif // TEGULA_TOOLS_COMPILEDFIDELITY_H
