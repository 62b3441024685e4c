// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where in its frame each buffer lies. Buffers that live at different times
/// share bytes.

#ifndef TEGULA_TRANSFORMS_PLAN_MEMORYPLAN_H
#define TEGULA_TRANSFORMS_PLAN_MEMORYPLAN_H

#include "tegula/transforms/plan/Lifetimes.h"

namespace tegula {

/// Offsets in frames. Each memory space has a frame of its own for the function
/// and for every loop whose iterations run at once.
struct MemoryPlan {
  /// In bytes, in the order of the placement's buffers.
  llvm::SmallVector<int64_t> offsets;
  /// How many bytes each frame needs in each space.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, int64_t> frameBytes;

  int64_t getFrameBytes(mlir::Operation *frame, pl::MemorySpace space) const {
    return frameBytes.lookup({frame, static_cast<unsigned>(space)});
  }

  /// The most bytes that are taken at one time: the function's, and those of
  /// one iteration.
  int64_t getBytes(pl::MemorySpace space) const;

  bool fits(const MachineMemory &memory) const {
    return !memory.isBounded() || getBytes(memory.space) <= memory.bytes;
  }
  bool fits(const MachineModel &machine) const;
};

/// Puts each buffer, in the order their lives begin, at the lowest offset that
/// is free as long as it lives. Where that does not fit the machine's memories
/// the largest buffers come first, which leaves fewer gaps; where that does not
/// help either, buffers have no copies.
MemoryPlan planMemory(Placement &placement, llvm::ArrayRef<Lifetime> lifetimes,
                      const MachineModel &machine);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_MEMORYPLAN_H
