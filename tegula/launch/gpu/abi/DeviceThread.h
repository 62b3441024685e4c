// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What code of a GPU knows of the thread that runs it. Kernels and the
/// routines besides this file call these; DeviceThread.cpp has them for
/// processors of GPUs, ../emulator/ThreadOfBlock.cpp for this one.

#ifndef TEGULA_LAUNCH_GPU_ABI_DEVICETHREAD_H
#define TEGULA_LAUNCH_GPU_ABI_DEVICETHREAD_H

#include <cstdint>

extern "C" {

/// The barrier of a launch's blocks. Zero before the first one; how many have
/// arrived is zero after each.
struct TegulaGpuGridBarrier {
  uint32_t arrived;
  /// How many rounds are over.
  uint32_t times;
  /// What one of them found in the state of the call, for all.
  int32_t error;
};

int32_t tegulaGpuThread();
int32_t tegulaGpuNumThreads();
/// The same where launches differ in it: the other is a number in the code.
int32_t tegulaGpuNumThreadsOfLaunch();
int32_t tegulaGpuBlock();
int32_t tegulaGpuNumBlocks();

/// Chips since this one have launches that begin while earlier ones end.
inline constexpr int32_t tegulaGpuOverlapChip = 90;

/// Lets the next launch begin, and waits until those before this one have
/// ended. Nothing for older chips.
void tegulaGpuAwaitEarlier();

/// About how many SMs the chip has.
int32_t tegulaGpuNumSMs();

/// Asks for so many bytes from there on, which other blocks will read: they are
/// in the cache of all SMs then. Nothing for older chips.
void tegulaGpuPrefetch(const char *start, int64_t bytes);

/// What that does with whole chunks of 16 bytes.
void tegulaGpuPrefetchBulk(const char *start, int32_t bytes);

/// Waits for all threads of the block; what they wrote can be read then.
void tegulaGpuBarrier();

/// The same for groups of `width` neighbours, a power of two. All threads of
/// the block call it.
void tegulaGpuRowBarrier(int32_t width);

/// Waits for all threads of all blocks.
void tegulaGpuGridBarrier(TegulaGpuGridBarrier *barrier);

/// The number of the thread of the same warp whose number differs in the bits
/// `apart`. All threads of the block call it.
int32_t tegulaGpuExchange(int32_t number, int32_t apart);
int64_t tegulaGpuExchangeLong(int64_t number, int32_t apart);

/// Which threads of the same warp have the same number, of so many bits: one
/// bit for each. All threads of the block call it.
uint32_t tegulaGpuMatch(uint32_t number, int32_t bits);

/// The memory that the threads of a block share, and so many numbers besides it
/// for what they do together, at least one for each of them.
char *tegulaGpuShared();
int64_t *tegulaGpuPartials();
inline constexpr int32_t tegulaGpuNumPartials = 1024;
/// So many of them for kernels that need no more: what blocks leave of shared
/// memory is cache.
int64_t *tegulaGpuFewPartials();
inline constexpr int32_t tegulaGpuNumFewPartials = 64;

/// Sets the word to `wanted` if it is `expected`; returns what it was. Orders
/// memory.
uint32_t tegulaGpuSwap(uint32_t *word, uint32_t expected, uint32_t wanted);

/// Adds to what others may add to at the same time; returns what it was.
uint32_t tegulaGpuAdd(uint32_t *word, uint32_t number);
void tegulaGpuAddLong(uint64_t *word, uint64_t number);
/// The same of words in the memory of all blocks.
void tegulaGpuAddGlobal(uint64_t *word, uint64_t number);
/// Leaves the larger one there.
void tegulaGpuMax(uint32_t *word, uint32_t number);

} // extern "C"

#endif // TEGULA_LAUNCH_GPU_ABI_DEVICETHREAD_H
