// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/sim/MeasureCycles.h"

#include "tegula/launch/call/TracedCall.h"
#include "tegula/runtime/ProblemError.h"
#include "tegula/sim/engine/Simulate.h"
#include "tegula/sim/machine/MachineFile.h"

using namespace tegula;

Expected<Workload>
tegula::makeSimulatedWorkload(const Kernel &kernel,
                              const WorkloadRequest &request) {
  if (!request.files.empty())
    return makeWorkload(kernel.getSignature(), request);
  Expected<Workload> workload =
      makeWorkload(kernel.getSignature(), request, WorkloadMemory::MadeUp);
  if (!workload)
    return workload.takeError();
  Expected<bool> mustRun = kernel.mustRunToTrace(workload->arguments);
  if (!mustRun)
    return mustRun.takeError();
  return *mustRun ? makeWorkload(kernel.getSignature(), request)
                  : std::move(workload);
}

Expected<sim::Summary> tegula::simulateCall(const Kernel &kernel,
                                            const Workload &workload,
                                            const sim::Machine &machine) {
  Expected<std::unique_ptr<TracedCall>> call =
      kernel.trace(workload.arguments, sim::printMachine(machine));
  if (!call)
    return call.takeError();
  Expected<sim::Result> result =
      sim::simulate(machine, (*call)->getKernel(), {});
  if (Problem problem = (*call)->getProblem()) {
    if (!result)
      llvm::consumeError(result.takeError());
    return toError(problem);
  }
  if (!result)
    return result.takeError();
  return sim::summarise(machine, *result);
}
