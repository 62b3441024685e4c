// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the host code of a kernel for GPUs and tegula/launch/gpu agree on. A
/// kernel is one function of the device: it takes the slots of the call one by
/// one, and then what TegulaGpuKernelTail lists.

#ifndef TEGULA_LAUNCH_GPU_ABI_GPUABI_H
#define TEGULA_LAUNCH_GPU_ABI_GPUABI_H

#include "tegula/support/KernelAbi.h"

extern "C" {

/// A kernel that is emulated: gets the addresses of its parameters.
typedef void (*TegulaGpuEmulated)(void *const *parameters);

/// Such a kernel by its name. Tables of them end with one that has no name.
struct TegulaGpuEmulatedKernel {
  const char *name;
  TegulaGpuEmulated function;
};

enum { TegulaGpuConsoleWords = 1 << 17 };

/// Lists of so many elements are sorted without scratch memory. Others take two
/// keys for each element, of 8 bytes or of 16, and some bytes for counts.
enum { TegulaGpuShortList = 4096, TegulaGpuCountBytes = 3 };

/// Blocks have about so many elements at a time.
enum { TegulaGpuBlockElements = 1024 };

/// So many elements of several lists are sorted at once, if one is not longer.
enum { TegulaGpuSortedAtOnce = 1600 << 10 };

/// Rows that several blocks share are cut into chunks of no less than this.
enum { TegulaGpuChunkLength = 4096 };

/// Where more elements than this are scattered, by indices that all rows share,
/// they are sorted in memory, and so many neighbours are added up in order.
enum { TegulaGpuFewPut = 16384, TegulaGpuAddedInOrder = 32 };

/// Where more FP32 than this are added so, each bin takes so many bytes for its
/// sum, if that is not too much in all; few bins take those of several.
enum {
  TegulaGpuFewAdded = 4096,
  TegulaGpuBinBytes = 17 * 8,
  TegulaGpuMostAccumulatorBytes = 64 << 20,
  TegulaGpuFewBins = 16384
};

/// Where a kernel that prints reports errors, and what it has printed: records
/// (PrintAbi.h), each behind its number of words. Elements of tensors follow
/// the record; instead of their address it has the words from its beginning on.
struct TegulaGpuConsole {
  TegulaCallState state;
  uint32_t numWords;
  /// Records that found no room.
  uint32_t numLost;
  int64_t words[TegulaGpuConsoleWords];
};

/// The parameters of a kernel behind the slots, in order.
struct TegulaGpuKernelTail {
  /// The grid barrier (DeviceThread.h).
  void *gridBarrier;
  /// Memory of all blocks together, and how much of it there is.
  void *common;
  int64_t commonBytes;
  /// Memory for blocks, so much for each.
  void *own;
  int64_t ownBytes;
  /// Of a TegulaGpuConsole if the kernel prints.
  TegulaCallState *state;
};

/// What a call of such a kernel is made with.
struct TegulaGpuRequest {
  /// Where the loaded program is kept; null at first.
  void **loaded;
  /// What GpuProgram.h reads.
  const char *program;
  int64_t programBytes;
  /// The kernel and its variants; null unless they are emulated.
  const TegulaGpuEmulatedKernel *emulated;
  const int64_t *slots;
  TegulaCallState *state;
  /// Scratch memory that all blocks need together, and that each needs.
  int64_t commonBytes;
  int64_t ownBytes;
  /// How many iterations there are at most to share out among blocks.
  int64_t iterations;
};

/// Runs the kernel on the GPU of the thread's current call, or emulates it.
void tegulaGpuRun(const TegulaGpuRequest *request);

} // extern "C"

#endif // TEGULA_LAUNCH_GPU_ABI_GPUABI_H
