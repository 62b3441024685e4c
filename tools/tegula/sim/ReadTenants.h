// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tenants from the command line:
/// `--tenant softmax.py,M=64,N=64,cores=2,start=1000`, and kernels that follow
/// each other with `+` between them.

#ifndef TEGULA_TOOLS_READTENANTS_H
#define TEGULA_TOOLS_READTENANTS_H

#include "tools/tegula/sim/SharedSimulation.h"
#include "tools/tegula/sim/SimRequest.h"

namespace tegula {

/// Makes the kernel that a word names. The number is that of the kernel among
/// those of all tenants, from 1 on.
using LoadKernel =
    llvm::function_ref<Expected<std::unique_ptr<SimulatedKernel>>(
        llvm::StringRef name, uint64_t number)>;

/// Reads all `--tenant` options.
[[nodiscard]] Expected<std::vector<SimTenant>>
readTenants(const CommandLine &line, LoadKernel load);

} // namespace tegula

#endif // TEGULA_TOOLS_READTENANTS_H
