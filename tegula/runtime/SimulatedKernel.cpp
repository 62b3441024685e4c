// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/SimulatedKernel.h"

using namespace tegula;

SimulatedKernel::~SimulatedKernel() = default;

Expected<std::unique_ptr<SimulatedKernel>>
tegula::loadSimulatedKernel(const KernelSource &source,
                            const sim::Machine &machine) {
  // A file that is wrong is told as everywhere else.
  Expected<Signature> signature = readSignature(source);
  if (!signature)
    return signature.takeError();
  return makeError("kernel '{0}' cannot be compiled for '{1}': this build has "
                   "no back end for NPUs; '--workload' runs kernels that are "
                   "written by hand",
                   signature->kernel, machine.name);
}
