// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a run found, as numbers; report/ makes texts of them.

#ifndef TEGULA_SIM_ENGINE_RESULT_H
#define TEGULA_SIM_ENGINE_RESULT_H

#include "tegula/sim/engine/ChipActivity.h"
#include "tegula/sim/engine/Unit.h"
#include "tegula/sim/memory/Links.h"
#include "tegula/sim/memory/MemorySystem.h"
#include <string>

namespace tegula::sim {

/// What one core did.
struct CoreResult {
  std::array<UnitTime, numUnits> units;
  int64_t macs = 0;
  int64_t vectorElements = 0;
  int64_t scratchpadBytes = 0;
  int64_t scratchpadHighWater = 0;
  int64_t numItems = 0;

  const UnitTime &operator[](Unit unit) const {
    return units[static_cast<unsigned>(unit)];
  }
};

/// Bytes of one tensor that were moved.
struct TensorTraffic {
  std::string name;
  int64_t bytesLoaded = 0;
  int64_t bytesStored = 0;

  bool isMoved() const { return bytesLoaded > 0 || bytesStored > 0; }
};

/// What one tenant did.
struct TenantResult {
  std::string name;
  Time start = 0;
  Time end = 0;
  int64_t firstCore = 0;
  int64_t numCores = 0;
  /// How long it takes when the others do nothing; 0 if that was not asked.
  Time alone = 0;
};

/// What one of several chips did.
struct ChipResult {
  /// When its rank was done.
  Time end = 0;
  /// By Activity, up to the end of the run.
  std::array<Time, numActivities> activities{};
};

/// Energy by component, in joules.
struct Energy {
  double macs = 0;
  double vector = 0;
  double scratchpad = 0;
  double noc = 0;
  double l2 = 0;
  double dram = 0;
  double leakage = 0;

  double getTotal() const {
    return macs + vector + scratchpad + noc + l2 + dram + leakage;
  }
};

/// Of a run that was cut short: how much of it was simulated.
struct Extrapolation {
  int64_t simulatedItems = 0;
  int64_t allItems = 0;
  /// By how much the time per item differed between the two halves of what was
  /// measured, as a share of it.
  double residual = 0;
};

/// A run.
struct Result {
  /// From the first launch to the last result.
  Time total = 0;
  std::vector<CoreResult> cores;
  std::vector<TensorTraffic> tensors;
  std::vector<TenantResult> tenants;
  /// Of a run on several chips; all else is of all of them together.
  std::vector<ChipResult> chips;
  std::vector<LinkTraffic> links;
  /// Bytes from chip to chip, those from chip 0 first.
  std::vector<int64_t> pairBytes;
  DramCounters dram;
  NocCounters noc;
  CacheCounters cache;
  Energy energy;
  int64_t numOps = 0;
  int64_t numEvents = 0;
  /// All zero if everything was simulated.
  Extrapolation extrapolation;

  int64_t getCycles() const { return toCycles(total); }
  int64_t getNumChips() const {
    return chips.empty() ? 1 : int64_t(chips.size());
  }
  int64_t getMacs() const;
  int64_t getVectorElements() const;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_RESULT_H
