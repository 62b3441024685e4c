// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A bitonic network that the threads of a block are, each with some keys in
/// its registers: neighbours, so that steps between near keys are a thread's
/// own, those between farther ones exchange keys within a warp, and only the
/// few between keys of different warps go through memory.
///
/// Lists whose halves are in order are merged. The first step looks at both
/// from their common middle, so that smaller keys go down in all steps.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICENETWORK_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICENETWORK_H

#include "tegula/backends/cuda/device/routines/DeviceKeys.h"

namespace tegula::gpu {

/// The key with the number `i` of a thread is at the slot `each * thread + i`.
template <typename Key, int32_t each> class Network {
public:
  Key keys[each];

  static int32_t slots() { return each * tegulaGpuNumThreads(); }

  /// Puts the keys of every `width` slots in order; a power of two.
  [[gnu::always_inline]] void sort(int32_t width) {
#pragma unroll
    for (int32_t size = 2; size <= each; size *= 2)
      if (size <= width) {
        stepInside(size - 1);
        mergeInside(size / 4);
      }
    for (int32_t size = 2 * each; size <= width; size *= 2) {
      int32_t threads = size / each;
      stepMirrored(threads);
      for (int32_t apart = threads / 4; apart > 0; apart /= 2)
        stepAcross(apart);
      mergeInside(each / 2);
    }
  }

  /// Calls `visit(slot, key)` so that neighbouring threads have neighbouring
  /// slots at the same time, for those of the first `count` slots.
  template <typename Visit>
  [[gnu::always_inline]] void forSlots(int32_t count, Visit visit) const {
    Key *room = getTile<Key>();
    int32_t self = tegulaGpuThread(), threads = tegulaGpuNumThreads();
    for (int32_t start = 0; start < count; start += roomKeys) {
      int32_t first = each * self - start;
      tegulaGpuBarrier();
      if (first >= 0 && first < roomKeys)
#pragma unroll
        for (int32_t i = 0; i < each; ++i)
          room[swizzle(first + i)] = keys[i];
      tegulaGpuBarrier();
      for (int32_t at = self; at < roomKeys && start + at < count;
           at += threads)
        visit(start + at, room[swizzle(at)]);
    }
    tegulaGpuBarrier();
  }

private:
  static constexpr int32_t warp = 32, roomKeys = tileKeys<Key>;
  /// Keys of a thread that there is room for, of as many threads as there are
  /// at most.
  static constexpr int32_t mostThreads = 256, atOnce = roomKeys / mostThreads;
  static_assert(each % atOnce == 0, "all keys go through memory");

  /// Neighbours of a thread, and those of neighbouring threads, are in
  /// different banks.
  static int32_t swizzle(int32_t slot) { return slot ^ (slot >> 4 & 15); }

  static void order(Key &low, Key &high) {
    Key first = low, second = high;
    bool areSwapped = second.isBefore(first);
    low = areSwapped ? second : first;
    high = areSwapped ? first : second;
  }

  /// Keys whose numbers differ in these bits.
  [[gnu::always_inline]] void stepInside(int32_t apart) {
#pragma unroll
    for (int32_t i = 0; i < each; ++i)
      if ((i ^ apart) > i)
        order(keys[i], keys[i ^ apart]);
  }

  [[gnu::always_inline]] void mergeInside(int32_t first) {
#pragma unroll
    for (int32_t apart = each / 2; apart > 0; apart /= 2)
      if (apart <= first)
        stepInside(apart);
  }

  static Key choose(Key own, Key other, bool isLow) {
    return other.isBefore(own) == isLow ? other : own;
  }

  /// With a thread whose number differs in one bit: both keep half of the keys.
  [[gnu::always_inline]] void stepAcross(int32_t apart) {
    bool isLow = (tegulaGpuThread() & apart) == 0;
    if (apart < warp) {
#pragma unroll
      for (int32_t i = 0; i < each; ++i)
        keys[i] = choose(keys[i], keys[i].exchange(apart), isLow);
      return;
    }
    exchangeInMemory(apart, [&](int32_t i, Key other) {
      keys[i] = choose(keys[i], other, isLow);
    });
  }

  /// The same with the thread, of so many, that is as far from their middle;
  /// its last key is looked at next to the first of this one.
  [[gnu::always_inline]] void stepMirrored(int32_t threads) {
    int32_t apart = threads - 1;
    bool isLow = (tegulaGpuThread() & threads / 2) == 0;
    if (apart < warp) {
#pragma unroll
      for (int32_t i = 0; i < each / 2; ++i) {
        Key &first = keys[i], &last = keys[each - 1 - i];
        Key other = last.exchange(apart);
        last = choose(last, first.exchange(apart), isLow);
        first = choose(first, other, isLow);
      }
      return;
    }
    exchangeInMemory(apart, [&](int32_t i, Key other) {
      Key &mirrored = keys[each - 1 - i];
      mirrored = choose(mirrored, other, isLow);
    });
  }

  /// Calls `take(i, key)` with the keys of the thread whose number differs in
  /// these bits, some of the first together with as many of the last.
  template <typename Take>
  [[gnu::always_inline]] void exchangeInMemory(int32_t apart, Take take) {
    Key *room = getTile<Key>();
    int32_t self = tegulaGpuThread(), threads = tegulaGpuNumThreads();
    auto numberOf = [](int32_t first, int32_t i) {
      return i < atOnce / 2 ? first + i : each - 1 - first - (i - atOnce / 2);
    };
#pragma unroll
    for (int32_t first = 0; first < each / 2; first += atOnce / 2) {
      tegulaGpuBarrier();
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        room[i * threads + self] = keys[numberOf(first, i)];
      tegulaGpuBarrier();
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        take(numberOf(first, i), room[i * threads + (self ^ apart)]);
    }
  }
};

/// Puts the first `count` keys of the tile in order; a power of two.
template <typename Key, int32_t each>
[[gnu::always_inline]] inline void sortTileBy(int32_t count) {
  Key *tile = getTile<Key>();
  Network<Key, each> network;
  int32_t first = each * tegulaGpuThread();
#pragma unroll
  for (int32_t i = 0; i < each; ++i)
    network.keys[i] = first + i < count ? tile[first + i] : Key::none();
  network.sort(count);
  tegulaGpuBarrier();
#pragma unroll
  for (int32_t i = 0; i < each; ++i)
    if (first + i < count)
      tile[first + i] = network.keys[i];
  tegulaGpuBarrier();
}
template <typename Key> [[gnu::noinline]] void sortTile(int32_t count) {
  constexpr int32_t threads = 256, each = tileKeys<Key> / threads;
  // A GPU has as many threads; the emulator may have fewer.
  if (tegulaGpuNumThreads() >= threads)
    sortTileBy<Key, each>(count);
  else
    sortTileBy<Key, 4 * each>(count);
}

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICENETWORK_H
