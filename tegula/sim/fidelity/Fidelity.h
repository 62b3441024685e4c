// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How near the simulator is to measured silicon, next to models that need no
/// simulator: the roofline, and a line with two constants.

#ifndef TEGULA_SIM_FIDELITY_FIDELITY_H
#define TEGULA_SIM_FIDELITY_FIDELITY_H

#include "tegula/support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Which constants the machines have.
enum class Constants { AsShipped, FittedAnew };

/// Writes the errors of all rows.
[[nodiscard]] Error writeFidelity(Constants constants, llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_FIDELITY_FIDELITY_H
