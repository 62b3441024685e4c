// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/CompiledSimulation.h"

#include "tegula/launch/TracedCall.h"
#include "tegula/sim/machine/MachineFile.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;

namespace {

/// See the file comment of the header. `Traced` is a Kernel or a Producer.
template <typename Traced> class CompiledSimulation : public SimulatedKernel {
public:
  CompiledSimulation(Traced kernel, const sim::Machine &machine,
                     const WorkloadRequest &request)
      : kernel(std::move(kernel)), machine(machine), request(request),
        symbols(this->kernel.getSignature().getSymbols()) {}

  llvm::StringRef getName() const override {
    return kernel.getSignature().kernel;
  }
  llvm::ArrayRef<std::string> getSymbols() const override { return symbols; }
  const sim::Machine &getMachine() const override { return machine; }

  /// Only where operations depend on data is there memory for it.
  Expected<sim::Result> simulate(llvm::ArrayRef<int64_t> extents,
                                 const sim::Machine &changed,
                                 const sim::SimulateOptions &options) override {
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
        kernel.trace(workload->arguments, sim::printMachine(changed));
    if (!call)
      return call.takeError();
    Expected<sim::Result> result =
        sim::simulate(changed, (*call)->getKernel(), options);
    if (!result)
      return result.takeError();
    if (Problem problem = (*call)->getProblem())
      return makeTextError(problem.getText());
    return result;
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

private:
  Traced kernel;
  sim::Machine machine;
  WorkloadRequest request;
  std::vector<std::string> symbols;
  bool hasRun = false;
};

} // namespace

Expected<std::unique_ptr<SimulatedKernel>>
tegula::loadSimulatedKernel(const KernelSource &source,
                            const sim::Machine &machine,
                            const WorkloadRequest &request) {
  Expected<Kernel> kernel = loadKernel(source);
  if (!kernel)
    return kernel.takeError();
  return std::make_unique<CompiledSimulation<Kernel>>(std::move(*kernel),
                                                      machine, request);
}

std::unique_ptr<SimulatedKernel>
tegula::makeSimulatedKernel(Producer producer, const sim::Machine &machine,
                            const WorkloadRequest &request) {
  return std::make_unique<CompiledSimulation<Producer>>(std::move(producer),
                                                        machine, request);
}
