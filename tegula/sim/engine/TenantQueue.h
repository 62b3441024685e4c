// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One tenant of a machine: its kernels, one after the other, on its own cores.

#ifndef TEGULA_SIM_ENGINE_TENANTQUEUE_H
#define TEGULA_SIM_ENGINE_TENANTQUEUE_H

#include "tegula/sim/engine/Core.h"
#include "tegula/sim/engine/Simulate.h"
#include "llvm/ADT/ArrayRef.h"

namespace tegula::sim {

/// Gives the work items of a tenant to its cores.
class TenantQueue : public ItemSource {
public:
  TenantQueue(const Tenant &tenant, int32_t index, SharedState &shared,
              llvm::MutableArrayRef<Core> cores, int64_t extrapolateAfter);

  /// Asks for the first launch.
  void start();
  /// The kernel at hand may start.
  void onLaunched();

  std::optional<WorkItem> takeItem() override;
  void finishItem() override;

  bool isDone() const { return kernel == tenant.kernels.size(); }
  TenantResult getResult() const;
  int64_t getChip() const { return tenant.chip; }
  /// Of the phases that were cut short, and the time they would have taken on
  /// top.
  const Extrapolation &getExtrapolation() const { return extrapolation; }
  Time getExtrapolatedTime() const { return extrapolatedTime; }

private:
  const TegulaTraceKernel &getKernel() const { return *tenant.kernels[kernel]; }
  void startPhase();
  void endPhase();
  void endKernel();
  void launch();
  void bindTensors();
  void extrapolate();

  const Tenant &tenant;
  int32_t index;
  SharedState &shared;
  llvm::MutableArrayRef<Core> cores;
  int64_t extrapolateAfter;

  size_t kernel = 0;
  int64_t phase = 0;
  int64_t numItems = 0;
  /// Items that are simulated; all unless the phase is cut short.
  int64_t numGiven = 0;
  int64_t nextItem = 0;
  int64_t numDone = 0;
  std::vector<int32_t> tensors;
  /// When items were done, of a phase that is cut short.
  std::vector<Time> doneTimes;
  Extrapolation extrapolation;
  Time extrapolatedTime = 0;
  Time end = 0;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_TENANTQUEUE_H
