// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Predictions next to measurements, as text.

#ifndef TEGULA_SIM_FIDELITY_PRINTERRORS_H
#define TEGULA_SIM_FIDELITY_PRINTERRORS_H

#include "tegula/sim/fidelity/Measurements.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// A line with the errors of all `rows` together.
void printErrors(llvm::raw_ostream &out, const char *model,
                 const std::vector<double> &predicted,
                 const Measurements &rows);

/// A line for each row.
void printRows(llvm::raw_ostream &out, const std::vector<double> &predicted,
               const Measurements &rows);

} // namespace tegula::sim

#endif // TEGULA_SIM_FIDELITY_PRINTERRORS_H
