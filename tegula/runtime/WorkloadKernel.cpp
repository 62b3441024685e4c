// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/WorkloadKernel.h"

#include "tegula/sim/programs/Workload.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::sim;

namespace {

/// See the file comment of the header.
class WorkloadKernel : public SimulatedKernel {
public:
  WorkloadKernel(const WorkloadKind &kind, const Machine &machine)
      : kind(kind), symbols(kind.symbols.begin(), kind.symbols.end()),
        machine(machine) {}

  llvm::StringRef getName() const override { return kind.name; }
  llvm::ArrayRef<std::string> getSymbols() const override { return symbols; }
  const Machine &getMachine() const override { return machine; }
  Expected<Result> simulate(llvm::ArrayRef<int64_t> extents,
                            const Machine &changed,
                            const SimulateOptions &options) override {
    Expected<Workload> workload = makeWorkload(kind, extents, changed);
    if (!workload)
      return workload.takeError();
    Tenant tenant{kind.name.str(), getKernels(*workload), 0, 0, 0};
    return sim::simulate(changed, tenant, options);
  }
  std::vector<std::string> getNotes() const override {
    return {"written by hand, not compiled; tiles are chosen anew for every "
            "size and machine"};
  }

private:
  const WorkloadKind &kind;
  std::vector<std::string> symbols;
  Machine machine;
};

} // namespace

Expected<std::unique_ptr<SimulatedKernel>>
tegula::makeWorkloadKernel(llvm::StringRef name, const Machine &machine) {
  std::vector<llvm::StringRef> names;
  for (const WorkloadKind &kind : listWorkloadKinds()) {
    if (kind.name == name)
      return std::make_unique<WorkloadKernel>(kind, machine);
    names.push_back(kind.name);
  }
  return makeError("there is no workload '{0}'; there are {1}", name,
                   llvm::join(names, ", "));
}
