// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Several chips on the page of a run: what each does with its time, and how
/// busy the links between them are.

#ifndef TEGULA_SIM_REPORT_HTMLCHIPS_H
#define TEGULA_SIM_REPORT_HTMLCHIPS_H

#include "tegula/sim/engine/Result.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Writes the section; nothing if there is one chip.
void writeChipSection(const Result &result, llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_HTMLCHIPS_H
