// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One HTML file with a kernel's source and its stages side by side. A line
/// that is pointed at shows what it became, and where it comes from.

#ifndef TEGULA_TOOLS_STAGEPAGE_H
#define TEGULA_TOOLS_STAGEPAGE_H

#include "tegula/runtime/StageText.h"

namespace tegula {

class SourceFiles;

/// The line of a file, without its end; empty if there is none.
std::string lineOf(SourceFiles &files, const SourceLocation &location);

/// Writes the page to `path`; gives the exit status of the command.
[[nodiscard]] Expected<int> writeStagePage(const KernelSource &source,
                                           llvm::StringRef target,
                                           llvm::ArrayRef<Argument> arguments,
                                           const std::string &path);

} // namespace tegula

#endif // TEGULA_TOOLS_STAGEPAGE_H
