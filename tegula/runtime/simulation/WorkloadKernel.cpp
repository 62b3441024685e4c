// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/simulation/WorkloadKernel.h"

#include "tegula/sim/programs/Workload.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::sim;

namespace {

/// One size.
class WorkloadCall : public SimulatedCall {
public:
  explicit WorkloadCall(Workload workload) : workload(std::move(workload)) {}
  std::vector<const TegulaTraceKernel *> getKernels() const override {
    return sim::getKernels(workload);
  }
  Error getProblem() const override { return Error::success(); }

private:
  Workload workload;
};

/// See the file comment of the header.
class WorkloadKernel : public SimulatedKernel {
public:
  explicit WorkloadKernel(const WorkloadKind &kind)
      : kind(kind), symbols(kind.symbols.begin(), kind.symbols.end()) {}

  llvm::StringRef getName() const override { return kind.name; }
  llvm::ArrayRef<std::string> getSymbols() const override { return symbols; }
  Expected<std::unique_ptr<SimulatedCall>>
  call(llvm::ArrayRef<int64_t> extents, const Machine &machine) override {
    for (auto [symbol, extent] : llvm::zip(symbols, extents))
      if (extent < 1)
        return makeError("the size {0} of workload '{1}' is {2}, but must be "
                         "positive",
                         symbol, kind.name, extent);
    Expected<Workload> workload = makeWorkload(kind, extents, machine);
    if (!workload)
      return workload.takeError();
    return std::make_unique<WorkloadCall>(std::move(*workload));
  }
  std::vector<std::string> getNotes() const override {
    return {"written by hand, not compiled; tiles are chosen anew for every "
            "size and machine"};
  }

private:
  const WorkloadKind &kind;
  std::vector<std::string> symbols;
};

} // namespace

Expected<std::unique_ptr<SimulatedKernel>>
tegula::makeWorkloadKernel(llvm::StringRef name) {
  std::vector<llvm::StringRef> names;
  for (const WorkloadKind &kind : listWorkloadKinds()) {
    if (kind.name == name)
      return std::make_unique<WorkloadKernel>(kind);
    names.push_back(kind.name);
  }
  return makeError("there is no workload '{0}'; there are {1}", name,
                   llvm::join(names, ", "));
}
