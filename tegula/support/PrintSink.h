// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the lines go that kernels print: one for the process.

#ifndef TEGULA_SUPPORT_PRINTSINK_H
#define TEGULA_SUPPORT_PRINTSINK_H

#include <string>

namespace tegula {

/// Writes a text and an end of line, all of it at once, whichever threads
/// print: to the standard output, or to where lines are kept.
void printLine(std::string text);

/// Takes lines in place of the standard output.
using LineKeeper = void (*)(const std::string &line);

/// Hands lines to `keeper` from now on; to the standard output if it is null.
void setLineKeeper(LineKeeper keeper);

} // namespace tegula

#endif // TEGULA_SUPPORT_PRINTSINK_H
