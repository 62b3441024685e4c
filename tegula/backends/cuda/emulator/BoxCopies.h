// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boxes of tensors that are copied in the background, to shared memory and
/// from there. They move some time after they were begun.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_BOXCOPIES_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_BOXCOPIES_H

#include "tegula/backends/cuda/emulator/MemoryBarriers.h"
#include "tegula/backends/cuda/emulator/SharedMemory.h"
#include "tegula/backends/cuda/emulator/TensorMap.h"

namespace tegula::emulator {

struct HopperBlock;

/// Where a box is.
struct BoxCoordinates {
  const TensorMap *map;
  int32_t coordinates[mostAxes];
  /// In shared memory.
  uint32_t offset;
};

class BoxCopies {
public:
  BoxCopies(HopperBlock &block, int32_t threads)
      : block(block), groups(threads) {}

  // Called by threads, with their numbers in the cluster. Only copies to the
  // block's memory may be begun by those of other blocks.
  void copyIn(int32_t thread, const BoxCoordinates &box,
              MemoryBarrier &barrier);
  void copyOut(int32_t thread, const BoxCoordinates &box);
  /// What was begun so far is a group.
  void endGroup(int32_t thread) { ++groupOf(thread); }
  /// Waits for all groups but the last ones.
  void finish(int32_t thread, uint32_t allBut);
  void leave(int32_t thread) const;

  /// Some copies arrive, by chance, or one at least. False if there was none.
  bool move(uint64_t &chance, bool mustMove);

private:
  struct Flight {
    BoxCoordinates box;
    /// Null if it goes to a tensor.
    MemoryBarrier *barrier;
    int32_t thread;
    uint32_t group;
  };
  struct GroupWait;

  void check(const BoxCoordinates &box) const;
  uint32_t &groupOf(int32_t thread);
  void land(const Flight &flight);

  HopperBlock &block;
  std::vector<Flight> flights;
  std::vector<uint32_t> groups;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_BOXCOPIES_H
