// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `tegula check --at`: what an editor shows at a position, for those that do
/// not talk to `tegula lsp`.

#ifndef TEGULA_TOOLS_CHECKAT_H
#define TEGULA_TOOLS_CHECKAT_H

#include "tegula/runtime/Compiler.h"

namespace tegula {

/// Prints as JSON what is known of the name at `where`, "LINE:COLUMN", of the
/// call around it, and what could be written there.
[[nodiscard]] Expected<int> checkAt(const KernelSource &source,
                                    llvm::StringRef where);

} // namespace tegula

#endif // TEGULA_TOOLS_CHECKAT_H
