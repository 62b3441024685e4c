// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The workloads of the simulator, which are written by hand, as kernels that
/// take any size.

#ifndef TEGULA_RUNTIME_SIMULATION_WORKLOADKERNEL_H
#define TEGULA_RUNTIME_SIMULATION_WORKLOADKERNEL_H

#include "tegula/runtime/simulation/SimulatedKernel.h"

namespace tegula {

/// The workload of the kind `name`, such as "gemm".
[[nodiscard]] Expected<std::unique_ptr<SimulatedKernel>>
makeWorkloadKernel(llvm::StringRef name);

} // namespace tegula

#endif // TEGULA_RUNTIME_SIMULATION_WORKLOADKERNEL_H
