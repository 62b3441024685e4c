// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/CompiledSimulation.h"

#include "tegula/launch/call/TracedCall.h"
#include "tegula/sim/machine/MachineFile.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;

namespace {

/// One size: the call, and the memory of its arguments.
class CompiledCall : public SimulatedCall {
public:
  CompiledCall(Workload workload, std::unique_ptr<TracedCall> call)
      : workload(std::move(workload)), call(std::move(call)) {}
  std::vector<const TegulaTraceKernel *> getKernels() const override {
    return {&call->getKernel()};
  }
  Error getProblem() const override {
    Problem problem = call->getProblem();
    return problem ? makeTextError(problem.getText()) : Error::success();
  }

private:
  Workload workload;
  std::unique_ptr<TracedCall> call;
};

/// See the file comment of the header. `Traced` is a Kernel or a Producer.
template <typename Traced> class CompiledSimulation : public SimulatedKernel {
public:
  CompiledSimulation(Traced kernel, const WorkloadRequest &request)
      : kernel(std::move(kernel)), request(request),
        symbols(this->kernel.getSignature().getSymbols()) {}

  llvm::StringRef getName() const override {
    return kernel.getSignature().kernel;
  }
  llvm::ArrayRef<std::string> getSymbols() const override { return symbols; }

  /// Only where operations depend on data is there memory for it.
  Expected<std::unique_ptr<SimulatedCall>>
  call(llvm::ArrayRef<int64_t> extents, const sim::Machine &machine) override {
    for (auto [symbol, extent] : llvm::zip(symbols, extents))
      request.dims[symbol] = extent;
    Expected<Workload> workload =
        makeWorkload(kernel.getSignature(), request, WorkloadMemory::MadeUp);
    if (!workload)
      return workload.takeError();
    Expected<bool> mustRun = kernel.mustRunToTrace(workload->arguments);
    if (!mustRun)
      return mustRun.takeError();
    if (*mustRun) {
      workload = makeWorkload(kernel.getSignature(), request);
      if (!workload)
        return workload.takeError();
      hasRun = true;
    }
    Expected<std::unique_ptr<TracedCall>> call =
        kernel.trace(workload->arguments, sim::printMachine(machine));
    if (!call)
      return call.takeError();
    return std::make_unique<CompiledCall>(std::move(*workload),
                                          std::move(*call));
  }

  std::vector<std::string> getNotes() const override {
    std::vector<std::string> notes = {
        "vector regions cost what their operations per element cost on lanes, "
        "unless their code was timed",
        "routines such as sorting are estimated"};
    if (hasRun)
      notes.push_back("what is done depends on data: it was recorded while the "
                      "kernel ran on random or given inputs");
    return notes;
  }

  std::vector<KernelWarning> getWarnings() const override {
    return kernel.listWarnings();
  }

private:
  Traced kernel;
  WorkloadRequest request;
  std::vector<std::string> symbols;
  bool hasRun = false;
};

} // namespace

Expected<std::unique_ptr<SimulatedKernel>>
tegula::loadSimulatedKernel(const KernelSource &source,
                            const WorkloadRequest &request) {
  Expected<Kernel> kernel = loadKernel(source);
  if (!kernel)
    return kernel.takeError();
  return std::make_unique<CompiledSimulation<Kernel>>(std::move(*kernel),
                                                      request);
}

std::unique_ptr<SimulatedKernel>
tegula::makeSimulatedKernel(Producer producer, const WorkloadRequest &request) {
  return std::make_unique<CompiledSimulation<Producer>>(std::move(producer),
                                                        request);
}
