// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The units of a core, and where the time of each goes: it is busy, or idle
/// for one cause that has a name. Nothing is left over.

#ifndef TEGULA_SIM_ENGINE_UNIT_H
#define TEGULA_SIM_ENGINE_UNIT_H

#include "tegula/sim/engine/Clock.h"
#include "llvm/ADT/StringRef.h"
#include <array>

namespace tegula::sim {

/// What runs operations, each kind in its order.
enum class Unit : uint8_t {
  DmaIn,
  DmaOut,
  Weights,
  Matrix,
  ReadOut,
  Vector,
  Dispatch,
  VectorIn, ///< the DMA of vector units that are cores of their own
  VectorOut
};
constexpr unsigned numUnits = 9;

/// True for what moves bytes between a core and memory.
constexpr bool isDma(Unit unit) {
  return unit == Unit::DmaIn || unit == Unit::DmaOut ||
         unit == Unit::VectorIn || unit == Unit::VectorOut;
}

/// Why a unit is idle.
enum class Stall : uint8_t {
  Launch,     ///< the kernel is being launched, or an earlier phase ends
  Dispatch,   ///< a work item is being dispatched
  Load,       ///< data is on its way from memory
  Peer,       ///< data is on its way from another chip
  Signal,     ///< a signal of another chip has not come
  Matrix,     ///< a matmul is not ready
  Vector,     ///< a vector region's result is not ready
  ReadOut,    ///< results are on their way out of the accumulators
  Store,      ///< a store still reads the buffer
  Handover,   ///< data is on its way between the arrays and vector units
  Buffer,     ///< another operation still reads the buffer
  Weights,    ///< weights are on their way into an array
  WeightSlot, ///< every weight slot is in use
  Drain,      ///< the last results leave the unit
  LoadsFirst, ///< stores let loads go first
  Barrier,    ///< a barrier waits for earlier operations
  Window,     ///< the window of operations is full
  ItemLimit,  ///< as many work items are in flight as may be
  NoWork      ///< there is nothing for this unit to do
};
constexpr unsigned numStalls = 19;

/// "dma in", for reports.
llvm::StringRef getName(Unit unit);
/// "load data", for reports.
llvm::StringRef getName(Stall stall);

/// Where the time of one unit went.
struct UnitTime {
  Time busy = 0;
  /// For how long it would have been busy at its full rate; never more.
  Time useful = 0;
  std::array<Time, numStalls> stalls{};
  int64_t numOps = 0;

  void charge(Stall stall, Time time) {
    stalls[static_cast<unsigned>(stall)] += time;
  }
  Time getStall(Stall stall) const {
    return stalls[static_cast<unsigned>(stall)];
  }
  /// Busy and idle together.
  Time getTotal() const {
    Time total = busy;
    for (Time stall : stalls)
      total += stall;
    return total;
  }
};

} // namespace tegula::sim

#endif // TEGULA_SIM_ENGINE_UNIT_H
