// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/engine/TenantQueue.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tegula;
using namespace tegula::sim;

TenantQueue::TenantQueue(const Tenant &tenant, int32_t index,
                         SharedState &shared, llvm::MutableArrayRef<Core> cores,
                         int64_t extrapolateAfter)
    : tenant(tenant), index(index), shared(shared), cores(cores),
      extrapolateAfter(extrapolateAfter) {
  for (Core &core : cores)
    core.setSource(this);
}

void TenantQueue::start() {
  if (!isDone())
    shared.events.push(tenant.start + fromCycles(shared.machine.launchCycles),
                       EventKind::Launched, 0, index);
}

void TenantQueue::launch() {
  end = shared.events.now();
  if (isDone())
    return;
  Time delay = phase == 0 ? fromCycles(shared.machine.launchCycles) : 0;
  shared.events.push(end + delay, EventKind::Launched, 0, index);
}

void TenantQueue::onLaunched() {
  if (phase == 0)
    bindTensors();
  startPhase();
}

void TenantQueue::startPhase() {
  const TegulaTraceKernel &current = getKernel();
  numItems = current.startPhase(current.context, phase);
  if (numItems < 0)
    return endKernel();
  bool isCut = extrapolateAfter > 0 && numItems > 2 * extrapolateAfter;
  numGiven = isCut ? extrapolateAfter : numItems;
  nextItem = numDone = 0;
  doneTimes.clear();
  if (numItems == 0)
    return endPhase();
  for (Core &core : cores)
    core.onLaunched();
}

void TenantQueue::bindTensors() {
  tensors.clear();
  const TegulaTraceKernel &current = getKernel();
  for (int32_t tensor = 0; tensor < current.numTensors; ++tensor) {
    const char *name = current.tensors[tensor];
    auto found = llvm::find_if(shared.tensors, [&](const TensorTraffic &known) {
      return known.name == name;
    });
    tensors.push_back(int32_t(found - shared.tensors.begin()));
    if (found == shared.tensors.end())
      shared.tensors.push_back({name, 0, 0});
  }
}

std::optional<WorkItem> TenantQueue::takeItem() {
  if (isDone() || nextItem == numGiven)
    return std::nullopt;
  return WorkItem{&getKernel(), phase, nextItem++, &tensors};
}

void TenantQueue::finishItem() {
  ++numDone;
  if (numGiven < numItems)
    doneTimes.push_back(shared.events.now());
  if (numDone == numGiven)
    endPhase();
}

void TenantQueue::endPhase() {
  if (numGiven < numItems)
    extrapolate();
  extrapolation.simulatedItems += numGiven;
  extrapolation.allItems += numItems;
  for (Core &core : cores)
    core.settleIdle(Stall::NoWork);
  numGiven = nextItem = numItems = 0;
  ++phase;
  launch();
}

void TenantQueue::endKernel() {
  numItems = 0;
  phase = 0;
  ++kernel;
  launch();
}

/// The items that were left out take the time of those in the middle of what
/// was simulated; its halves should agree.
void TenantQueue::extrapolate() {
  size_t quarter = doneTimes.size() / 4;
  auto getPeriod = [&](size_t from, size_t to) {
    return double(doneTimes[to] - doneTimes[from]) / double(to - from);
  };
  double period = getPeriod(quarter, 3 * quarter);
  double difference =
      getPeriod(quarter, 2 * quarter) - getPeriod(2 * quarter, 3 * quarter);
  extrapolation.residual =
      std::max(extrapolation.residual, std::abs(difference) / period);
  extrapolatedTime += Time(period * double(numItems - numGiven));
}

TenantResult TenantQueue::getResult() const {
  return {tenant.name, tenant.start, end, tenant.firstCore,
          int64_t(cores.size())};
}
