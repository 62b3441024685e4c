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

/// Keeps lines from now on, or writes them to the standard output again.
void keepPrintedLines(bool keep);

/// True if lines are kept. Costs a load.
bool hasPrintedLines();

/// The lines that were kept since the last time.
std::string takePrintedLines();

} // namespace tegula

#endif // TEGULA_SUPPORT_PRINTSINK_H
