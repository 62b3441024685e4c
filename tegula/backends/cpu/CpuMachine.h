// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What passes may ask about a processor.

#ifndef TEGULA_BACKENDS_CPU_CPUMACHINE_H
#define TEGULA_BACKENDS_CPU_CPUMACHINE_H

#include "tegula/transforms/MachineModel.h"

namespace tegula {

/// A processor, with or without threads.
const MachineModel &getCpuMachine(bool useThreads);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_CPUMACHINE_H
