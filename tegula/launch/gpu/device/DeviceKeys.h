// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What elements are sorted by: keys, no two of which are equal, of the order
/// of an element and its place. As many as fit beside the shared memory are
/// sorted by a bitonic network there.

#ifndef TEGULA_LAUNCH_GPU_DEVICE_DEVICEKEYS_H
#define TEGULA_LAUNCH_GPU_DEVICE_DEVICEKEYS_H

#include "tegula/launch/gpu/device/DeviceRows.h"
#include "tegula/support/GpuAbi.h"

namespace tegula::gpu {

/// Of elements of up to 32 bits.
struct NarrowKey {
  using Order = uint32_t;
  uint64_t bits;

  static NarrowKey make(Order order, int64_t place) {
    return {uint64_t(order) << 32 | uint32_t(place)};
  }
  /// Comes after all others.
  static NarrowKey none() { return {~uint64_t(0)}; }
  bool isNone() const { return bits == ~uint64_t(0); }
  Order order() const { return bits >> 32; }
  int64_t place() const { return uint32_t(bits); }
  bool isBefore(NarrowKey other) const { return bits < other.bits; }
};

/// Of elements of 64 bits.
struct WideKey {
  using Order = uint64_t;
  uint64_t bits, number;

  static WideKey make(Order order, int64_t place) {
    return {order, uint64_t(place)};
  }
  static WideKey none() { return {~uint64_t(0), ~uint64_t(0)}; }
  bool isNone() const { return number == ~uint64_t(0); }
  Order order() const { return bits; }
  int64_t place() const { return int64_t(number); }
  bool isBefore(WideKey other) const {
    return bits != other.bits ? bits < other.bits : number < other.number;
  }
};

/// How many keys there is room for beside the shared memory, and that room.
template <typename Key>
inline constexpr int32_t tileKeys = 8 * tegulaGpuNumPartials / sizeof(Key);
template <typename Key> Key *getTile() {
  return reinterpret_cast<Key *>(tegulaGpuPartials());
}

static_assert(tileKeys<NarrowKey> == TegulaGpuShortList,
              "host code asks for memory for longer lists");

/// Puts every `width` of `count` keys in order; a power of two.
template <typename Key> void sortTile(Key *keys, int32_t count, int32_t width) {
  constexpr int32_t warp = 32;
  int32_t threads = tegulaGpuNumThreads();
  for (int32_t size = 2; size <= width; size *= 2)
    for (int32_t half = size / 2; half > 0; half /= 2) {
      // Both halves are in order: the first step looks at them from their
      // common middle, so that smaller keys go down in all steps.
      bool mirrors = half == size / 2;
      for (int32_t pair = tegulaGpuThread(); pair < count / 2;
           pair += threads) {
        int32_t at = pair & (half - 1), start = 2 * (pair - at);
        int32_t low = start + at;
        int32_t high = mirrors ? start + 2 * half - 1 - at : low + half;
        Key lower = keys[low], upper = keys[high];
        if (upper.isBefore(lower)) {
          keys[low] = upper;
          keys[high] = lower;
        }
      }
      // A warp has both keys of pairs that are near each other.
      int32_t next = half > 1 ? half / 2 : size;
      if (half <= warp && next <= warp)
        tegulaGpuRowBarrier(warp);
      else
        tegulaGpuBarrier();
    }
  tegulaGpuBarrier();
}

} // namespace tegula::gpu

#endif // TEGULA_LAUNCH_GPU_DEVICE_DEVICEKEYS_H
