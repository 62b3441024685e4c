// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Scratch memory of GPU code, and how its routines share out work.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEARENA_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEARENA_H

#include "tegula/launch/gpu/abi/DeviceThread.h"
#include "tegula/launch/gpu/abi/GpuAbi.h"

extern "C" {

/// What is left of the memory of a block, or of all blocks. Each thread has its
/// own, and all do the same with it.
struct TegulaGpuArena {
  char *top;
  char *end;
};

// The routines of KernelAbi.h for the threads of a block, who all call them
// with the same arguments. When one returns, all have done their part.

void *tegulaGpuScratchPush(TegulaGpuArena *arena, int64_t bytes);
void tegulaGpuScratchPop(TegulaGpuArena *arena, void *block);
void *tegulaGpuScratchAllocate(TegulaGpuArena *arena, int64_t bytes,
                               TegulaCallState *state, int32_t site);
void tegulaGpuReportError(TegulaGpuArena *arena, TegulaCallState *state,
                          int32_t kind, int32_t site, int32_t axis,
                          int64_t index, int64_t extent);

} // extern "C"

namespace tegula::gpu {

/// Calls `visit` with the numbers below `count` that are this thread's.
template <typename Visit> void shareOut(int64_t count, Visit visit) {
  for (int64_t i = tegulaGpuThread(); i < count; i += tegulaGpuNumThreads())
    visit(i);
}

/// What this block does of a call, of so many blocks that make it together.
struct Part {
  uint32_t number, count;
  TegulaGpuGridBarrier *barrier;

  static Part whole() { return {0, 1, nullptr}; }
  /// Of one block if there is no grid barrier.
  static Part ofBlock(TegulaGpuGridBarrier *barrier) {
    if (!barrier)
      return whole();
    return {static_cast<uint32_t>(tegulaGpuBlock()),
            static_cast<uint32_t>(tegulaGpuNumBlocks()), barrier};
  }

  int64_t numThreads() const { return int64_t(count) * tegulaGpuNumThreads(); }
  /// As the function of that name, for the threads of all these blocks.
  template <typename Visit> void shareOut(int64_t all, Visit visit) const {
    int64_t self = int64_t(number) * tegulaGpuNumThreads() + tegulaGpuThread();
    for (int64_t i = self; i < all; i += numThreads())
      visit(i);
  }
  /// Into how many chunks rows of that length are cut, where there are more
  /// blocks than rows. Not into short ones.
  int64_t countChunks(int64_t rows, int64_t length) const {
    int64_t most = count / (rows > 0 ? rows : 1),
            longest = length / chunkLength;
    int64_t chunks = most < longest ? most : longest;
    return chunks > 1 ? chunks : 1;
  }
  static constexpr int64_t chunkLength = TegulaGpuChunkLength;
  /// Waits for the threads of all these blocks.
  void wait() const {
    if (count == 1)
      tegulaGpuBarrier();
    else
      tegulaGpuGridBarrier(barrier);
  }
};

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/// Takes a number apart into the indices along axes, the last one fastest, and
/// sums up their strides.
inline int64_t offsetOf(int64_t number, int64_t rank, const int64_t *sizes,
                        const int64_t *strides) {
  int64_t offset = 0;
  for (int64_t axis = rank; axis-- > 0;) {
    // What is left of the number is the index along the first axis.
    if (axis == 0)
      return offset + number * strides[0];
    // There may be no row at all.
    if (sizes[axis] <= 1)
      continue;
    offset += number % sizes[axis] * strides[axis];
    number /= sizes[axis];
  }
  return offset;
}

inline int64_t countOf(int64_t rank, const int64_t *sizes) {
  int64_t count = 1;
  for (int64_t axis = 0; axis < rank; ++axis)
    count *= sizes[axis];
  return count;
}

// Half bytes, as HalfBytes.h has them.
inline uint32_t *wordOfHalf(const char *half, unsigned &shift) {
  auto address = reinterpret_cast<uint64_t>(half);
  uint64_t byte = address << 1 >> 2;
  shift = byte % 4 * 8 + address % 2 * 4;
  return reinterpret_cast<uint32_t *>(byte & ~uint64_t(3));
}
inline uint32_t readHalf(const char *half) {
  auto address = reinterpret_cast<uint64_t>(half);
  auto *byte = reinterpret_cast<const uint8_t *>(address << 1 >> 2);
  return *byte >> address % 2 * 4 & 15;
}
inline void writeHalf(char *half, uint32_t bits) {
  unsigned shift;
  uint32_t *word = wordOfHalf(half, shift);
  uint32_t before = *word, wanted;
  do {
    wanted = (before & ~(15u << shift)) | (bits & 15) << shift;
    uint32_t found = tegulaGpuSwap(word, before, wanted);
    if (found == before)
      return;
    before = found;
  } while (true);
}

/// Copies one element of so many bytes; 0 bytes are half a byte.
inline void copyElement(char *target, const char *source, int64_t bytes) {
  switch (bytes) {
  case 0:
    return writeHalf(target, readHalf(source));
  case 1:
    *target = *source;
    return;
  case 2:
    *reinterpret_cast<uint16_t *>(target) =
        *reinterpret_cast<const uint16_t *>(source);
    return;
  case 4:
    *reinterpret_cast<uint32_t *>(target) =
        *reinterpret_cast<const uint32_t *>(source);
    return;
  default:
    *reinterpret_cast<uint64_t *>(target) =
        *reinterpret_cast<const uint64_t *>(source);
  }
}

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEARENA_H
