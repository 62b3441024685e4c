// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks of tensors that several iterations add to. There are a few for all
// tensors, so two may wait for each other without need, never for long.
#include "tegula/launch/threads/WipedOnFork.h"
#include "tegula/support/KernelAbi.h"

#include <array>
#include <atomic>
#include <thread>

namespace {

/// One for each line of the cache.
struct alignas(64) ReductionLock {
  std::atomic<bool> isTaken{false};
};

using ReductionLocks = std::array<ReductionLock, 64>;

tegula::WipedOnFork<ReductionLocks> locks;

ReductionLock &lockOf(const void *tensor) {
  auto address = reinterpret_cast<uintptr_t>(tensor);
  return (
      *locks)[(address >> 6 ^ address >> 12 ^ address >> 18) % locks->size()];
}

} // namespace

void tegulaLockReduction(const void *tensor) {
  ReductionLock &lock = lockOf(tensor);
  // Whoever has the lock may not be running: there may be more threads than
  // processors.
  constexpr int patience = 1000;
  for (int tries = 0; lock.isTaken.exchange(true, std::memory_order_acquire);)
    while (lock.isTaken.load(std::memory_order_relaxed))
      if (++tries > patience)
        std::this_thread::yield();
}

void tegulaUnlockReduction(const void *tensor) {
  lockOf(tensor).isTaken.store(false, std::memory_order_release);
}
