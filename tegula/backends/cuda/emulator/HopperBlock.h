// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an emulated block knows besides its memory when it runs instructions,
/// of Hopper chips above all.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_HOPPERBLOCK_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_HOPPERBLOCK_H

#include "tegula/backends/cuda/emulator/Accesses.h"
#include "tegula/backends/cuda/emulator/BoxCopies.h"
#include "tegula/backends/cuda/emulator/ThreadBarriers.h"
#include "tegula/backends/cuda/emulator/ThreadCopies.h"
#include "tegula/backends/cuda/emulator/WgmmaQueue.h"
#include "tegula/backends/cuda/emulator/WordAccesses.h"

namespace tegula::emulator {

struct HopperCluster;

struct HopperBlock {
  HopperCluster &cluster;
  SharedMemory &memory;
  /// Among those of the cluster, and of its first thread.
  int32_t number, firstThread;
  int32_t threads;
  Knowledge &knowledge;
  Accesses accesses;
  WordAccesses words;
  MemoryBarriers barriers;
  NumberedBarriers numbered;
  WarpExchange warps;
  Registers registers;
  BoxCopies copies;
  ThreadCopies threadCopies;
  std::vector<WgmmaQueue> wgmmaQueues;

  HopperBlock(HopperCluster &cluster, SharedMemory &memory, int32_t number);

  // Called by threads, with their numbers in the cluster: the launch fails if
  // bytes are read or written too early. `who` does it, such as "a copy".
  void checkRead(int32_t thread, Bytes bytes, const char *who);
  void checkWrite(int32_t thread, Bytes bytes, const char *who,
                  const MemoryBarrier *barrier = nullptr);
  /// A thread of the cluster loads words, or one of the block stores them.
  void load(int32_t thread, Bytes bytes);
  void store(int32_t thread, Bytes bytes);
  /// The thread does something to the block, which must not have ended: as in
  /// "thread 3 may still ...".
  void checkStays(int32_t thread, const char *what);
  /// The same, and the block must not end before.
  void reach(int32_t thread, const char *what);
  /// All threads have passed a barrier.
  void syncAll();
  /// Waits for the other lanes of the warp, and knows what they did.
  void syncWarp(int32_t thread);
  /// The thread ends.
  void leave(int32_t thread);
  /// It had ended before anything was known of the block.
  void leaveUnseen(int32_t thread);
  bool moveCopies(uint64_t &chance, bool mustMove) {
    return copies.move(chance, mustMove);
  }

  std::string nameThread(int32_t thread) const {
    return knowledge.shape.nameThread(thread);
  }

private:
  /// The last time that a thread of another block reached this one.
  struct Reach {
    uint32_t when = 0;
    const char *what = nullptr;
  };

  bool isOwn(int32_t thread) const {
    return knowledge.shape.blockOf(thread) == number;
  }
  void end(int32_t last);
  [[noreturn]] void reportEnd(int32_t thread, const char *what);
  void reportRace(int32_t thread, Bytes bytes, const std::string &words,
                  const Access &other, const MemoryBarrier *barrier);

  int32_t staying;
  /// What the threads that have ended know.
  Clock ended;
  std::vector<Reach> reaches;
  /// What the lanes of each warp knew at their last barrier.
  std::vector<Clock> warpClocks;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_HOPPERBLOCK_H
