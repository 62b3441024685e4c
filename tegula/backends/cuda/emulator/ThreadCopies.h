// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Chunks of up to 16 bytes that threads copy to shared memory in the
/// background. Each arrives when its thread waits for it, and not before.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_THREADCOPIES_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_THREADCOPIES_H

#include "tegula/backends/cuda/emulator/Accesses.h"
#include "tegula/backends/cuda/emulator/SharedMemory.h"

#include <cstring>
#include <deque>
#include <vector>

namespace tegula::emulator {

class ThreadCopies {
public:
  ThreadCopies(SharedMemory &memory, int32_t threads)
      : memory(memory), threads(threads) {}

  /// A chunk of `size` bytes, of which the first ones come from an address and
  /// the others are zero.
  void copy(int32_t thread, uint32_t offset, const char *from, uint32_t size,
            uint32_t given) {
    std::memset(memory.at(offset), 0xff, size);
    threads[thread].current.push_back({offset, from, size, given});
  }
  /// What was begun so far is a group.
  void endGroup(int32_t thread) {
    threads[thread].groups.push_back(std::move(threads[thread].current));
    threads[thread].current.clear();
  }
  /// Waits for all groups but the last ones. Returns the bytes that arrive.
  std::vector<Bytes> finish(int32_t thread, uint32_t allBut) {
    std::vector<Bytes> arrived;
    for (auto &groups = threads[thread].groups; groups.size() > allBut;
         groups.pop_front())
      for (const AsyncCopy &asyncCopy : groups.front()) {
        char *to = memory.at(asyncCopy.offset);
        if (asyncCopy.given)
          std::memcpy(to, asyncCopy.from, asyncCopy.given);
        std::memset(to + asyncCopy.given, 0, asyncCopy.size - asyncCopy.given);
        arrived.push_back(
            {asyncCopy.offset, asyncCopy.offset + asyncCopy.size});
      }
    return arrived;
  }

private:
  struct AsyncCopy {
    uint32_t offset;
    const char *from;
    uint32_t size, given;
  };
  struct Thread {
    std::deque<std::vector<AsyncCopy>> groups;
    std::vector<AsyncCopy> current;
  };

  SharedMemory &memory;
  std::vector<Thread> threads;
};

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_THREADCOPIES_H
