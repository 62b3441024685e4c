// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A simulated machine as passes see it.

#ifndef TEGULA_BACKENDS_NPU_NPUMACHINE_H
#define TEGULA_BACKENDS_NPU_NPUMACHINE_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/transforms/MachineModel.h"

namespace tegula {

/// Its memories, and tiles that fill them when there are two of each.
MachineModel makeMachineModel(const sim::Machine &machine);

/// The sizes that a call chooses among, those of the model first.
std::vector<TileSizes> listTilings(const MachineModel &model);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_NPUMACHINE_H
