// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A simulated machine as passes see it.

#ifndef TEGULA_BACKENDS_NPU_NPUMACHINE_H
#define TEGULA_BACKENDS_NPU_NPUMACHINE_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/transforms/MachineModel.h"

namespace tegula {

/// Its memories, and tiles that fill them about half when there are two of
/// each.
MachineModel makeMachineModel(const sim::Machine &machine);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_NPUMACHINE_H
