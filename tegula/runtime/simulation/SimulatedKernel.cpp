// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/simulation/SimulatedKernel.h"

using namespace tegula;

SimulatedCall::~SimulatedCall() = default;
SimulatedKernel::~SimulatedKernel() = default;

Expected<sim::Result>
SimulatedKernel::simulate(llvm::ArrayRef<int64_t> extents,
                          const sim::Machine &machine,
                          const sim::SimulateOptions &options) {
  Expected<std::unique_ptr<SimulatedCall>> made = call(extents, machine);
  if (!made)
    return made.takeError();
  sim::Tenant tenant;
  tenant.name = getName().str();
  tenant.kernels = (*made)->getKernels();
  Expected<sim::Result> result = sim::simulate(machine, tenant, options);
  if (!result)
    return result.takeError();
  if (Error error = (*made)->getProblem())
    return error;
  return result;
}
