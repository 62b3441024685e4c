// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Everything a target asks before it makes code for the tiles of a function:
/// what is fused, which memory the other tiles are in, and where it lies.

#ifndef TEGULA_TRANSFORMS_PLAN_TILEPLAN_H
#define TEGULA_TRANSFORMS_PLAN_TILEPLAN_H

#include "tegula/transforms/plan/MemoryPlan.h"
#include "tegula/transforms/plan/TensorPlan.h"

namespace tegula {

/// Fails, with an error at the op, if the function has a tile without bound.
mlir::LogicalResult requireBoundedTiles(mlir::func::FuncOp function);

/// The plan of one function, which must not change as long as it is asked.
/// Every tile is bounded and every call inlined; of regions there are loops and
/// branches only.
struct TilePlan {
  TilePlan(mlir::func::FuncOp function, MachineModel machine)
      : machine(std::move(machine)), fusion(this->machine.longestChain),
        placement(function, fusion, this->machine),
        lifetimes(computeLifetimes(function, fusion, placement)),
        memory(planMemory(placement, lifetimes, this->machine)) {}
  TilePlan(const TilePlan &) = delete;
  TilePlan &operator=(const TilePlan &) = delete;

  /// The bytes from one copy of a buffer to the next.
  int64_t getCopyBytes(BufferId buffer) const;
  /// Where the first copy of a buffer begins in its memory, if the frame of a
  /// iteration lies behind that of the function.
  int64_t getAddress(BufferId buffer) const;

  MachineModel machine;
  Fusion fusion;
  Placement placement;
  llvm::SmallVector<Lifetime> lifetimes;
  MemoryPlan memory;
  /// Filled by makePlan.
  TensorPlan tensors;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_TILEPLAN_H
