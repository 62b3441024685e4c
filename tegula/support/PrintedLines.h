// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lines that kernels printed, kept for who called them. Libraries that are
/// built ahead of time have none of this: they write their lines.

#ifndef TEGULA_SUPPORT_PRINTEDLINES_H
#define TEGULA_SUPPORT_PRINTEDLINES_H

#include <string>

namespace tegula {

/// Keeps lines from now on, or writes them to the standard output again.
void keepPrintedLines(bool keep);

/// True if lines are kept. Costs a load.
bool hasPrintedLines();

/// The lines that were kept since the last time.
std::string takePrintedLines();

} // namespace tegula

#endif // TEGULA_SUPPORT_PRINTEDLINES_H
