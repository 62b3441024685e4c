// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A sweep as comma-separated values: a heading, then a line per size.

#ifndef TEGULA_SIM_REPORT_WRITECSV_H
#define TEGULA_SIM_REPORT_WRITECSV_H

#include "tegula/sim/sweep/Sweep.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Writes every symbol, then what was found; after a what-if the same columns
/// again under names that begin with "changed_", and the ratio of cycles.
void writeCsv(const Sweep &sweep, llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITECSV_H
