// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch memory, errors and locks of GPU code.

#include "tegula/backends/cuda/device/routines/DeviceArena.h"

using namespace tegula::gpu;

void *tegulaGpuScratchPush(TegulaGpuArena *arena, int64_t bytes) {
  int64_t left = arena->end - arena->top;
  if (bytes < 0 || bytes > left)
    return nullptr;
  char *block = arena->top;
  arena->top += least((bytes + 63) / 64 * 64, left);
  return block;
}

void tegulaGpuScratchPop(TegulaGpuArena *arena, void *block) {
  if (block)
    arena->top = static_cast<char *>(block);
}

void *tegulaGpuScratchAllocate(TegulaGpuArena *arena, int64_t bytes,
                               TegulaCallState *state, int32_t site) {
  void *block = tegulaGpuScratchPush(arena, bytes);
  if (!block)
    tegulaGpuReportError(arena, state, TegulaOutOfMemory, site, 0, bytes, 0);
  return block;
}

void tegulaGpuReportError(TegulaGpuArena *, TegulaCallState *state,
                          int32_t kind, int32_t site, int32_t axis,
                          int64_t index, int64_t extent) {
  // Who comes first writes; whoever looks finds all of it or nothing.
  if (tegulaGpuSwap(reinterpret_cast<uint32_t *>(&state->reserved), 0, 1) != 0)
    return;
  state->site = site;
  state->axis = axis;
  state->index = index;
  state->extent = extent;
  tegulaGpuSwap(reinterpret_cast<uint32_t *>(&state->error), TegulaNoError,
                kind);
}

static int32_t errorOf(const TegulaCallState *state) {
  return *const_cast<const volatile int32_t *>(
      reinterpret_cast<const int32_t *>(&state->error));
}

// A thread that reported an error may see it while others do not yet, and so
// may who looks later: one looks for all.

extern "C" int32_t tegulaGpuFoundError(const TegulaCallState *state) {
  auto *found = reinterpret_cast<volatile int32_t *>(tegulaGpuPartials());
  tegulaGpuBarrier();
  if (tegulaGpuThread() == 0)
    *found = errorOf(state);
  tegulaGpuBarrier();
  int32_t error = *found;
  tegulaGpuBarrier();
  return error;
}

extern "C" int32_t tegulaGpuFoundErrorByAll(TegulaGpuGridBarrier *barrier,
                                            const TegulaCallState *state) {
  auto *found = const_cast<volatile int32_t *>(&barrier->error);
  tegulaGpuGridBarrier(barrier);
  if (tegulaGpuBlock() == 0 && tegulaGpuThread() == 0)
    *found = errorOf(state);
  tegulaGpuGridBarrier(barrier);
  return *found;
}

static uint32_t locks[64];

static uint32_t *lockOf(const void *tensor) {
  auto address = reinterpret_cast<uint64_t>(tensor);
  return &locks[(address >> 6 ^ address >> 12 ^ address >> 18) % 64];
}

extern "C" void tegulaGpuLockReduction(TegulaGpuArena *, const void *tensor) {
  if (tegulaGpuThread() == 0)
    while (tegulaGpuSwap(lockOf(tensor), 0, 1) != 0) {
    }
  tegulaGpuBarrier();
}

extern "C" void tegulaGpuUnlockReduction(TegulaGpuArena *, const void *tensor) {
  tegulaGpuBarrier();
  if (tegulaGpuThread() == 0)
    tegulaGpuSwap(lockOf(tensor), 1, 0);
  tegulaGpuBarrier();
}
