// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/sim/SharedSimulation.h"

#include "tegula/sim/machine/MachineKeys.h"
#include "tegula/sim/sweep/Sweep.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;

static std::string getTitle(const SimTenant &tenant) {
  std::vector<std::string> titles;
  for (const SizedKernel &each : tenant.kernels) {
    std::string sizes =
        sim::formatExtents(each.kernel->getSymbols(), each.extents);
    titles.push_back(each.kernel->getName().str() +
                     (sizes.empty() ? "" : " " + sizes));
  }
  return llvm::join(titles, ", then ");
}

/// Where the tenants' cores begin, and how many each has.
static Expected<std::vector<std::pair<int64_t, int64_t>>>
divideCores(llvm::ArrayRef<SimTenant> tenants, const sim::Machine &machine) {
  int64_t left = machine.cores, numSharing = 0;
  for (const SimTenant &tenant : tenants) {
    left -= tenant.numCores;
    numSharing += tenant.numCores == 0 ? 1 : 0;
  }
  if (left < numSharing)
    return makeError(
        "{0} tenants need {1} cores or more, but the machine '{2}' "
        "has {3}",
        tenants.size(), machine.cores - left + numSharing, machine.name,
        machine.cores);
  std::vector<std::pair<int64_t, int64_t>> parts;
  int64_t first = 0;
  for (const SimTenant &tenant : tenants) {
    int64_t count = tenant.numCores;
    if (count == 0) {
      // The first ones get what does not divide.
      count = (left + numSharing - 1) / numSharing;
      left -= count;
      --numSharing;
    }
    parts.push_back({first, count});
    first += count;
  }
  return parts;
}

namespace {

/// Calls of all kernels, and the tenants that make them.
struct Calls {
  std::vector<std::unique_ptr<SimulatedCall>> calls;
  std::vector<sim::Tenant> tenants;

  Error add(const SimTenant &tenant, int64_t firstCore, int64_t numCores,
            const sim::Machine &machine);
  Expected<sim::Result> run(const sim::Machine &machine,
                            const sim::SimulateOptions &options) const;
};

/// See the file comment of the header.
class SharedSimulation : public SimulatedKernel {
public:
  SharedSimulation(bool isFirstVaried, std::vector<SimTenant> tenants)
      : isFirstVaried(isFirstVaried), tenants(std::move(tenants)) {
    std::vector<std::string> titles;
    for (const SimTenant &tenant :
         llvm::drop_begin(this->tenants, isFirstVaried ? 1 : 0))
      titles.push_back(getTitle(tenant));
    if (isFirstVaried)
      titles.push_back(getVaried().getName().str());
    name = llvm::join(titles, " with ");
  }

  llvm::StringRef getName() const override { return name; }
  llvm::ArrayRef<std::string> getSymbols() const override {
    return isFirstVaried ? getVaried().getSymbols()
                         : llvm::ArrayRef<std::string>();
  }
  Expected<std::unique_ptr<SimulatedCall>> call(llvm::ArrayRef<int64_t>,
                                                const sim::Machine &) override {
    return makeError("tenants are simulated together");
  }
  Expected<sim::Result> simulate(llvm::ArrayRef<int64_t> extents,
                                 const sim::Machine &machine,
                                 const sim::SimulateOptions &options) override;
  std::vector<std::string> getNotes() const override;
  std::vector<KernelWarning> getWarnings() const override;

private:
  SimulatedKernel &getVaried() const {
    return *tenants.front().kernels.front().kernel;
  }

  bool isFirstVaried;
  std::vector<SimTenant> tenants;
  std::string name;
};

} // namespace

/// Tiles are chosen for as many cores as the tenant has, where such a machine
/// can be.
Error Calls::add(const SimTenant &tenant, int64_t firstCore, int64_t numCores,
                 const sim::Machine &machine) {
  sim::Machine part = machine;
  part.cores = numCores;
  if (Error error = sim::checkMachine(part)) {
    llvm::consumeError(std::move(error));
    part.cores = machine.cores;
  }
  sim::Tenant made;
  made.name = getTitle(tenant);
  made.firstCore = firstCore;
  made.numCores = numCores;
  made.start = sim::fromCycles(tenant.start);
  for (const SizedKernel &each : tenant.kernels) {
    Expected<std::unique_ptr<SimulatedCall>> call =
        each.kernel->call(each.extents, part);
    if (!call)
      return call.takeError();
    llvm::append_range(made.kernels, (*call)->getKernels());
    calls.push_back(std::move(*call));
  }
  tenants.push_back(std::move(made));
  return Error::success();
}

Expected<sim::Result> Calls::run(const sim::Machine &machine,
                                 const sim::SimulateOptions &options) const {
  Expected<sim::Result> result = sim::simulate(machine, tenants, options);
  if (!result)
    return result.takeError();
  for (const std::unique_ptr<SimulatedCall> &call : calls)
    if (Error error = call->getProblem())
      return error;
  return result;
}

/// All together, then each by itself on the same cores.
Expected<sim::Result>
SharedSimulation::simulate(llvm::ArrayRef<int64_t> extents,
                           const sim::Machine &machine,
                           const sim::SimulateOptions &options) {
  if (isFirstVaried)
    tenants.front().kernels.front().extents = extents.vec();
  auto parts = divideCores(tenants, machine);
  if (!parts)
    return parts.takeError();
  Calls together;
  for (auto [tenant, part] : llvm::zip(tenants, *parts))
    if (Error error = together.add(tenant, part.first, part.second, machine))
      return error;
  Expected<sim::Result> result = together.run(machine, options);
  if (!result)
    return result.takeError();
  for (auto [index, tenant] : llvm::enumerate(tenants)) {
    auto [firstCore, numCores] = (*parts)[index];
    Calls alone;
    if (Error error = alone.add(tenant, firstCore, numCores, machine))
      return error;
    Expected<sim::Result> found = alone.run(machine, {});
    if (!found)
      return found.takeError();
    const sim::TenantResult &own = found->tenants.front();
    result->tenants[index].alone = own.end - own.start;
  }
  return result;
}

std::vector<std::string> SharedSimulation::getNotes() const {
  std::vector<std::string> notes;
  for (const SimTenant &tenant : tenants)
    for (const SizedKernel &each : tenant.kernels)
      for (const std::string &note : each.kernel->getNotes())
        if (!llvm::is_contained(notes, note))
          notes.push_back(note);
  return notes;
}

std::vector<KernelWarning> SharedSimulation::getWarnings() const {
  std::vector<KernelWarning> warnings;
  for (const SimTenant &tenant : tenants)
    for (const SizedKernel &each : tenant.kernels)
      llvm::append_range(warnings, each.kernel->getWarnings());
  return warnings;
}

std::unique_ptr<SimulatedKernel>
tegula::makeSharedSimulation(std::shared_ptr<SimulatedKernel> varied,
                             int64_t coresOfVaried,
                             std::vector<SimTenant> others) {
  bool isVaried = varied != nullptr;
  if (isVaried)
    others.insert(others.begin(),
                  SimTenant{{{std::move(varied), {}}}, coresOfVaried, 0});
  return std::make_unique<SharedSimulation>(isVaried, std::move(others));
}
