// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/Simulate.h"

#include "tegula/sim/engine/Observer.h"
#include "tegula/sim/engine/TenantQueue.h"
#include "tegula/sim/machine/MachineKeys.h"

#include <memory>

using namespace tegula;
using namespace tegula::sim;

int64_t Result::getMacs() const {
  int64_t macs = 0;
  for (const CoreResult &core : cores)
    macs += core.macs;
  return macs;
}

int64_t Result::getVectorElements() const {
  int64_t elements = 0;
  for (const CoreResult &core : cores)
    elements += core.vectorElements;
  return elements;
}

static int64_t countChips(llvm::ArrayRef<Tenant> tenants) {
  int64_t last = 0;
  for (const Tenant &tenant : tenants)
    last = std::max(last, tenant.chip);
  return last + 1;
}

static Error checkTenants(const Machine &machine,
                          llvm::ArrayRef<Tenant> tenants) {
  std::vector<bool> isTaken(machine.cores * countChips(tenants));
  for (const Tenant &tenant : tenants) {
    int64_t last = tenant.numCores > 0 ? tenant.firstCore + tenant.numCores
                                       : machine.cores;
    if (tenant.firstCore < 0 || tenant.firstCore >= last ||
        last > machine.cores)
      return makeError("tenant '{0}' wants cores {1} to {2} of {3}",
                       tenant.name, tenant.firstCore, last - 1, machine.cores);
    for (int64_t core = tenant.firstCore; core < last; ++core) {
      int64_t inAll = tenant.chip * machine.cores + core;
      if (isTaken[inAll])
        return makeError("tenant '{0}' wants core {1}, which another has",
                         tenant.name, core);
      isTaken[inAll] = true;
    }
    for (const TegulaTraceKernel *kernel : tenant.kernels)
      if (kernel->version != TegulaTraceVersion)
        return makeError("kernel '{0}' is of trace version {1}, but this "
                         "simulator reads {2}",
                         kernel->name, kernel->version,
                         int(TegulaTraceVersion));
  }
  return Error::success();
}

static Energy getEnergy(const Machine &machine, const Result &result) {
  Energy energy;
  constexpr double pj = 1e-12;
  for (const CoreResult &core : result.cores) {
    energy.macs += pj * machine.energyPjPerMac * core.macs;
    energy.vector +=
        pj * machine.energyPjPerVectorElement * core.vectorElements;
    energy.scratchpad +=
        pj * machine.energyPjPerScratchpadByte * core.scratchpadBytes;
  }
  const DramCounters &dram = result.dram;
  energy.noc = pj * machine.energyPjPerNocByteHop * result.noc.byteHops;
  energy.l2 = pj * machine.energyPjPerL2Byte *
              (result.cache.hitBytes + result.cache.missBytes);
  energy.dram =
      pj * (machine.energyPjPerDramByte *
                (dram.bytesRead + dram.bytesWritten + dram.partialLineBytes) +
            machine.energyPjPerDramActivation *
                (dram.rowMisses + dram.rowConflicts));
  energy.leakage = machine.energyLeakageWatts * double(result.getNumChips()) *
                   result.total / ticksPerCycle / (machine.coreClockMhz * 1e6);
  return energy;
}

/// Makes the counters of a run that was cut short those of the whole.
static void scale(Result &result, Time extraTime) {
  const Extrapolation &cut = result.extrapolation;
  double items = double(cut.allItems) / double(cut.simulatedItems);
  double time = double(result.total + extraTime) / double(result.total);
  result.total += extraTime;
  auto grow = [&](int64_t &count) { count = int64_t(double(count) * items); };
  for (CoreResult &core : result.cores) {
    for (int64_t *count : {&core.macs, &core.vectorElements,
                           &core.scratchpadBytes, &core.numItems})
      grow(*count);
    for (UnitTime &unit : core.units) {
      unit.busy = Time(double(unit.busy) * time);
      unit.useful = Time(double(unit.useful) * time);
      for (Time &stall : unit.stalls)
        stall = Time(double(stall) * time);
      unit.charge(Stall::NoWork, result.total - unit.getTotal());
      grow(unit.numOps);
    }
  }
  for (TensorTraffic &tensor : result.tensors) {
    grow(tensor.bytesLoaded);
    grow(tensor.bytesStored);
  }
  DramCounters &dram = result.dram;
  for (int64_t *count :
       {&dram.bytesRead, &dram.bytesWritten, &dram.partialLineBytes,
        &dram.rowHits, &dram.rowMisses, &dram.rowConflicts, &dram.refreshes,
        &dram.busTime, &dram.activateTime, &dram.refreshTime,
        &dram.turnaroundTime, &result.noc.bytes, &result.noc.byteHops,
        &result.cache.hitBytes, &result.cache.missBytes,
        &result.cache.writtenBackBytes, &result.numOps})
    grow(*count);
  for (std::vector<int64_t> *counts :
       {&dram.channelBytes, &result.noc.linkBytes})
    for (int64_t &count : *counts)
      grow(count);
  for (TenantResult &tenant : result.tenants)
    tenant.end += extraTime;
}

namespace {

/// A run from its start to its result.
class Run {
public:
  Run(const Machine &machine, llvm::ArrayRef<Tenant> tenants,
      const SimulateOptions &options)
      : numChips(countChips(tenants)), memory(machine, numChips),
        signals(events, memory.getLinks(), numChips), activities(numChips),
        shared{machine,    events,  memory,           signals,
               activities, tensors, options.observer, ""} {
    if (Observer *observer = options.observer)
      memory.getLinks().setListener(
          [observer](const LinkUse &use) { observer->onLinkUse(use); });
    int64_t numCores = machine.cores * numChips;
    cores.reserve(numCores);
    for (int32_t core = 0; core < numCores; ++core)
      cores.emplace_back(shared, core);
    for (const Tenant &tenant : tenants) {
      int64_t count = tenant.numCores > 0 ? tenant.numCores
                                          : machine.cores - tenant.firstCore;
      queues.push_back(std::make_unique<TenantQueue>(
          tenant, int32_t(queues.size()), shared,
          llvm::MutableArrayRef(cores).slice(
              tenant.chip * machine.cores + tenant.firstCore, count),
          options.extrapolateAfter));
    }
  }

  Expected<Result> run() {
    for (std::unique_ptr<TenantQueue> &queue : queues)
      queue->start();
    while (!events.empty() && shared.problem.empty())
      handle(events.pop());
    if (!shared.problem.empty())
      return makeTextError(shared.problem);
    for (size_t core = 0; core < cores.size(); ++core)
      if (cores[core].isStuck())
        return reportDeadlock(core);
    return collect();
  }

private:
  Error reportDeadlock(size_t core) const {
    if (const TegulaTraceOp *wait = cores[core].getAwaitedSignal()) {
      int64_t chip = memory.getChipOf(core);
      return makeError(
          "rank {0} waits in line {1} for a signal to be {2}{3}, which is {4} "
          "when all other ranks are done or wait, too",
          chip, wait->line, wait->rows,
          wait->flags & TegulaTraceEqual ? "" : " or more",
          signals.getValue(chip, wait->base));
    }
    return makeError("core {0} cannot go on: its window of {1} operations "
                     "is full of some that wait for later ones",
                     core, shared.machine.windowOps);
  }

  void handle(const Event &event) {
    switch (event.kind) {
    case EventKind::Launched:
      return queues[event.index]->onLaunched();
    case EventKind::Dispatched:
      return cores[event.core].onDispatched();
    case EventKind::UnitFree:
      return cores[event.core].onUnitFree(Unit(event.index));
    case EventKind::OpReady:
      return cores[event.core].onReady(event.index);
    case EventKind::Issue:
      return cores[event.core].onIssue(Unit(event.index));
    case EventKind::ChunkDone:
      return cores[event.core].onChunkDone(event.index);
    case EventKind::Signalled:
      signals.arrive(event.core, event.index);
      for (Core &core : coresOf(event.core))
        core.pull();
      return;
    }
  }

  llvm::MutableArrayRef<Core> coresOf(int64_t chip) {
    return llvm::MutableArrayRef(cores).slice(chip * shared.machine.cores,
                                              shared.machine.cores);
  }

  void collectChips(Result &result) {
    if (numChips == 1)
      return;
    result.chips.resize(numChips);
    for (int64_t chip = 0; chip < numChips; ++chip)
      result.chips[chip].activities = activities[chip].finish(result.total);
    for (const std::unique_ptr<TenantQueue> &queue : queues) {
      Time &end = result.chips[queue->getChip()].end;
      end = std::max(end, queue->getResult().end);
    }
    result.links = memory.getLinks().getTraffic();
    result.pairBytes = memory.getLinks().getPairBytes();
  }

  Result collect() {
    Result result;
    result.total = events.now();
    for (Core &core : cores)
      result.cores.push_back(core.finish(result.total));
    result.tensors = tensors;
    result.dram = addDramCounters(memory);
    result.noc = addNocCounters(memory);
    result.cache = addCacheCounters(memory);
    collectChips(result);
    result.numEvents = events.getNumEvents();
    Time extraTime = 0;
    for (std::unique_ptr<TenantQueue> &queue : queues) {
      result.tenants.push_back(queue->getResult());
      const Extrapolation &cut = queue->getExtrapolation();
      result.extrapolation.simulatedItems += cut.simulatedItems;
      result.extrapolation.allItems += cut.allItems;
      result.extrapolation.residual =
          std::max(result.extrapolation.residual, cut.residual);
      extraTime += queue->getExtrapolatedTime();
    }
    for (const CoreResult &core : result.cores)
      for (const UnitTime &unit : core.units)
        result.numOps += unit.numOps;
    if (extraTime > 0)
      scale(result, extraTime);
    else
      result.extrapolation = {};
    result.energy = getEnergy(shared.machine, result);
    return result;
  }

  int64_t numChips;
  EventQueue events;
  ChipMemories memory;
  Signals signals;
  std::vector<ChipActivity> activities;
  std::vector<TensorTraffic> tensors;
  SharedState shared;
  std::vector<Core> cores;
  std::vector<std::unique_ptr<TenantQueue>> queues;
};

} // namespace

Expected<Result> sim::simulate(const Machine &machine,
                               llvm::ArrayRef<Tenant> tenants,
                               const SimulateOptions &options) {
  if (Error error = checkMachine(machine))
    return error;
  if (Error error = checkTenants(machine, tenants))
    return error;
  if (options.extrapolateAfter > 0 && tenants.size() > 1)
    return makeError("only a run with one tenant can be extrapolated");
  if (options.extrapolateAfter > 0 && options.extrapolateAfter < 8)
    return makeError("extrapolation wants 8 work items at least, not {0}",
                     options.extrapolateAfter);
  return Run(machine, tenants, options).run();
}

Expected<Result> sim::simulate(const Machine &machine,
                               const TegulaTraceKernel &kernel,
                               const SimulateOptions &options) {
  return simulate(machine, Tenant{kernel.name, {&kernel}}, options);
}

Expected<Result>
sim::simulateRanks(const Machine &machine,
                   llvm::ArrayRef<const TegulaTraceKernel *> kernels,
                   const SimulateOptions &options) {
  std::vector<Tenant> tenants;
  for (const TegulaTraceKernel *kernel : kernels) {
    auto rank = int64_t(tenants.size());
    if (kernel->setRank)
      kernel->setRank(kernel->context, rank, int64_t(kernels.size()));
    else if (kernels.size() > 1)
      return makeError("what '{0}' does depends on data, so it can be "
                       "simulated as one rank only, not as {1}",
                       kernel->name, kernels.size());
    tenants.push_back(
        {"rank " + std::to_string(rank), {kernel}, 0, 0, 0, rank});
  }
  return simulate(machine, tenants, options);
}
