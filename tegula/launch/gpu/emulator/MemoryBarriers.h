// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Barriers in shared memory that count threads and bytes, round by round.

#ifndef TEGULA_LAUNCH_GPU_EMULATOR_MEMORYBARRIERS_H
#define TEGULA_LAUNCH_GPU_EMULATOR_MEMORYBARRIERS_H

#include "tegula/launch/gpu/emulator/Knowledge.h"

#include <memory>
#include <string>

namespace tegula::emulator {

/// One of them. A round ends when as many threads have come as there are to
/// come, and as many bytes as they said.
struct MemoryBarrier {
  uint32_t offset;
  /// Its place among those of the block.
  int32_t number;
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
  explicit MemoryBarriers(Knowledge &knowledge) : knowledge(knowledge) {}

  bool isEmpty() const { return barriers.empty(); }
  void make(uint32_t offset, uint32_t count);
  void fence();
  /// Called by threads, who must be able to go on after a failure.
  MemoryBarrier &find(uint32_t offset);
  void arrive(int32_t thread, MemoryBarrier &barrier);
  void expect(MemoryBarrier &barrier, uint32_t bytes);
  void await(int32_t thread, MemoryBarrier &barrier, uint32_t parity);
  /// Bytes of a copy have come.
  void land(MemoryBarrier &barrier, int64_t bytes);

  /// The buffer of a ring that the barrier guards, counted from its first:
  /// such as "stage 2".
  std::string nameStage(const MemoryBarrier &barrier) const;
  const MemoryBarrier &get(int32_t number) const { return *barriers[number]; }

private:
  MemoryBarrier *get(uint32_t offset) const;
  void endRound(MemoryBarrier &barrier);

  Knowledge &knowledge;
  std::vector<std::unique_ptr<MemoryBarrier>> barriers;
};

} // namespace tegula::emulator

#endif // TEGULA_LAUNCH_GPU_EMULATOR_MEMORYBARRIERS_H
