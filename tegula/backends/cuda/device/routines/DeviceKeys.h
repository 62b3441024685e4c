// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What elements are sorted by: keys, no two of which are equal, of the order
/// of an element and its position.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEKEYS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEKEYS_H

#include "tegula/backends/cuda/device/routines/DeviceRows.h"
#include "tegula/launch/gpu/abi/GpuAbi.h"

namespace tegula::gpu {

/// Of elements of up to 32 bits.
struct NarrowKey {
  using Order = uint32_t;
  uint64_t bits;

  static NarrowKey make(Order order, int64_t position) {
    return {uint64_t(order) << 32 | uint32_t(position)};
  }
  /// Comes after all others.
  static NarrowKey none() { return {~uint64_t(0)}; }
  bool isNone() const { return bits == ~uint64_t(0); }
  Order order() const { return bits >> 32; }
  int64_t position() const { return uint32_t(bits); }
  bool isBefore(NarrowKey other) const { return bits < other.bits; }
  /// That of the thread of the warp whose number differs in these bits.
  NarrowKey exchange(int32_t apart) const {
    return {uint64_t(tegulaGpuExchangeLong(int64_t(bits), apart))};
  }
};

/// Of elements of 64 bits.
struct WideKey {
  using Order = uint64_t;
  uint64_t bits, number;

  static WideKey make(Order order, int64_t position) {
    return {order, uint64_t(position)};
  }
  static WideKey none() { return {~uint64_t(0), ~uint64_t(0)}; }
  bool isNone() const { return number == ~uint64_t(0); }
  Order order() const { return bits; }
  int64_t position() const { return int64_t(number); }
  bool isBefore(WideKey other) const {
    return bits != other.bits ? bits < other.bits : number < other.number;
  }
  WideKey exchange(int32_t apart) const {
    return {uint64_t(tegulaGpuExchangeLong(int64_t(bits), apart)),
            uint64_t(tegulaGpuExchangeLong(int64_t(number), apart))};
  }
};

/// The key of an element with an order of that type.
template <typename Order> struct KeyOf {
  using type = NarrowKey;
};
template <> struct KeyOf<uint64_t> {
  using type = WideKey;
};

/// How many keys there is room for besides the shared memory, and that room.
template <typename Key>
inline constexpr int32_t tileKeys = 8 * tegulaGpuNumPartials / sizeof(Key);
template <typename Key> Key *getTile() {
  return reinterpret_cast<Key *>(tegulaGpuPartials());
}

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEKEYS_H
