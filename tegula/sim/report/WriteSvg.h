// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A sweep as a drawing: cycles above, use of the machine below, over the
/// extent. Every curve is a combination of the other extents. It has no
/// background and colours that can be read on light and on dark.

#ifndef TEGULA_SIM_REPORT_WRITESVG_H
#define TEGULA_SIM_REPORT_WRITESVG_H

#include "tegula/sim/sweep/Sweep.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::sim {

/// Writes `sweep`, which has a point at least.
void writeSvg(const Sweep &sweep, llvm::raw_ostream &out);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_WRITESVG_H
