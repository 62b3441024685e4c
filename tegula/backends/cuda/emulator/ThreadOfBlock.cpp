// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code of a GPU knows of the thread that runs it, as DeviceThread.h says.

#include "tegula/backends/cuda/emulator/Emulation.h"
#include "tegula/launch/gpu/abi/DeviceThread.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::emulator;

int32_t tegulaGpuThread() { return getEmulation().getThread().number; }
int32_t tegulaGpuNumThreads() { return getEmulation().getLaunch().threads; }
int32_t tegulaGpuNumThreadsOfLaunch() { return tegulaGpuNumThreads(); }
int32_t tegulaGpuBlock() {
  return getEmulation().getFirstBlock() + getEmulation().getThread().block;
}
int32_t tegulaGpuNumBlocks() { return getEmulation().getLaunch().blocks; }
void tegulaGpuAwaitEarlier() {}
int32_t tegulaGpuNumSMs() { return numEmulatedSMs; }
/// Nothing is any nearer then, but what is asked for has to be there.
void tegulaGpuPrefetch(const char *start, int64_t bytes) {
  if (bytes <= 0)
    return;
  const volatile char *memory = start;
  (void)memory[0];
  (void)memory[bytes - 1];
}
void tegulaGpuPrefetchBulk(const char *, int32_t) {}
void tegulaGpuBarrier() { getEmulation().stop(Doing::AtBarrier); }
void tegulaGpuRowBarrier(int32_t) { getEmulation().stop(Doing::AtBarrier); }
void tegulaGpuGridBarrier(TegulaGpuGridBarrier *) {
  getEmulation().stop(Doing::AtGridBarrier);
}

char *tegulaGpuShared() { return getEmulation().getBlock().shared.getStart(); }

/// The numbers of all threads. There is room for two of each, alternately: who
/// writes to the same again knows that all have written to the other, and so
/// have read this one.
static const int64_t *gatherNumbers(int64_t own) {
  auto &block = getEmulation().getBlock();
  int32_t self = tegulaGpuThread();
  char &isSecond = block.isSecondExchange[self];
  isSecond = !isSecond;
  int64_t *all =
      block.exchanged.data() + (isSecond ? tegulaGpuNumThreads() : 0);
  all[self] = own;
  getEmulation().stop(Doing::AtExchange);
  return all;
}

int64_t tegulaGpuExchangeLong(int64_t number, int32_t apart) {
  return gatherNumbers(number)[tegulaGpuThread() ^ apart];
}
int32_t tegulaGpuExchange(int32_t number, int32_t apart) {
  return static_cast<int32_t>(tegulaGpuExchangeLong(number, apart));
}

uint32_t tegulaGpuMatch(uint32_t number, int32_t) {
  constexpr int32_t warp = 32;
  const int64_t *all = gatherNumbers(number);
  int32_t first = tegulaGpuThread() / warp * warp;
  uint32_t same = 0;
  for (int32_t lane = 0; lane < warp; ++lane)
    if (first + lane < tegulaGpuNumThreads() && all[first + lane] == number)
      same |= 1u << lane;
  return same;
}

int64_t *tegulaGpuPartials() {
  return getEmulation().getBlock().partials.data();
}
int64_t *tegulaGpuFewPartials() { return tegulaGpuPartials(); }

/// Who does not get what it wants lets others run.
uint32_t tegulaGpuSwap(uint32_t *word, uint32_t expected, uint32_t wanted) {
  uint32_t before = *word;
  if (before == expected)
    *word = wanted;
  else
    getEmulation().stop(Doing::Running);
  return before;
}

uint32_t tegulaGpuAdd(uint32_t *word, uint32_t number) {
  uint32_t before = *word;
  *word += number;
  return before;
}
void tegulaGpuAddLong(uint64_t *word, uint64_t number) { *word += number; }
void tegulaGpuAddGlobal(uint64_t *word, uint64_t number) { *word += number; }
void tegulaGpuMax(uint32_t *word, uint32_t number) {
  *word = std::max(*word, number);
}
