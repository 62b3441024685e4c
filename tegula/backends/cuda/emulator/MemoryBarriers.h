// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Barriers in shared memory that count threads and bytes, round by round.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_MEMORYBARRIERS_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_MEMORYBARRIERS_H

#include "tegula/backends/cuda/emulator/Knowledge.h"

#include <memory>
#include <string>

namespace tegula::emulator {

/// One of them. A round ends when as many threads have come as there are to
/// come, and as many bytes as they said.
struct MemoryBarrier {
  uint32_t offset;
  /// Its position among those of the cluster.
  int32_t number;
  /// Who made it, and when.
  int32_t maker;
  uint32_t madeWhen;
  uint32_t count;
  uint32_t missing;
  int64_t missingBytes = 0;
  uint32_t round = 0;
  bool isFenced = false;
  /// Copies count on it, so it says that a buffer of a ring was filled.
  bool hasCopies = false;
  /// What threads that come know, and what those learn who wait.
  Clock coming, ended;
};

/// Those of a block. Failures end the launch.
class MemoryBarriers {
public:
  MemoryBarriers(Knowledge &knowledge, int32_t block)
      : knowledge(knowledge), block(block) {}

  bool isEmpty() const { return barriers.empty(); }
  void make(int32_t thread, uint32_t offset, uint32_t count);
  void fence();
  // Called by threads, with their numbers in the cluster, who must be able to
  // go on after a failure.
  MemoryBarrier &find(int32_t thread, uint32_t offset);
  void arrive(int32_t thread, MemoryBarrier &barrier);
  void expect(MemoryBarrier &barrier, uint32_t bytes);
  void await(int32_t thread, MemoryBarrier &barrier, uint32_t parity);
  /// Bytes of a copy have come.
  void land(MemoryBarrier &barrier, int64_t bytes);

  /// The buffer of a ring that the barrier guards, counted from its first:
  /// such as "stage 2".
  std::string nameStage(const MemoryBarrier &barrier) const;
  const MemoryBarrier &get(int32_t number) const {
    return *barriers[number % Knowledge::mostBarriers];
  }
  /// Such as "the barrier at byte 64".
  std::string nameOf(uint32_t offset) const;

private:
  MemoryBarrier *get(uint32_t offset) const;
  void endRound(MemoryBarrier &barrier);

  Knowledge &knowledge;
  int32_t block;
  std::vector<std::unique_ptr<MemoryBarrier>> barriers;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_MEMORYBARRIERS_H
