// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an emulated block knows besides its memory when it runs instructions,
/// of Hopper chips above all.

#ifndef TEGULA_LAUNCH_GPU_EMULATOR_HOPPERBLOCK_H
#define TEGULA_LAUNCH_GPU_EMULATOR_HOPPERBLOCK_H

#include "tegula/launch/gpu/emulator/Accesses.h"
#include "tegula/launch/gpu/emulator/BoxCopies.h"
#include "tegula/launch/gpu/emulator/GroupProducts.h"
#include "tegula/launch/gpu/emulator/ThreadCopies.h"
#include "tegula/launch/gpu/emulator/ThreadMeetings.h"

namespace tegula::emulator {

struct HopperBlock {
  SharedMemory &memory;
  int32_t threads;
  Knowledge knowledge;
  Accesses accesses;
  MemoryBarriers barriers;
  NumberedBarriers numbered;
  WarpExchange warps;
  Registers registers;
  BoxCopies copies;
  ThreadCopies threadCopies;
  std::vector<GroupProducts> products;

  HopperBlock(SharedMemory &memory, int32_t threads);

  // Called by threads: the launch fails if bytes are read or written too early.
  // `who` does it, such as "a copy".
  void checkRead(int32_t thread, Bytes bytes, const char *who);
  void checkWrite(int32_t thread, Bytes bytes, const char *who,
                  const MemoryBarrier *barrier = nullptr);
  /// All threads have met.
  void meetAll();
  /// The thread ends.
  void leave();
  bool moveCopies(uint64_t &chance, bool mustMove) {
    return copies.move(chance, mustMove);
  }

private:
  void reportRace(int32_t thread, Bytes bytes, const std::string &words,
                  const Access &other, const MemoryBarrier *barrier);
};

} // namespace tegula::emulator

#endif // TEGULA_LAUNCH_GPU_EMULATOR_HOPPERBLOCK_H
