// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first few keys of a long list in order. Threads of a block gather keys
/// that come before a bound, in whatever order; where there is no more room
/// those gathered are sorted, the first ones stay, and the last of them is the
/// next bound.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEBEST_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEBEST_H

#include "tegula/backends/cuda/device/routines/DeviceNetwork.h"

namespace tegula::gpu {

/// The first `kept` of keys that `read(position)` says.
template <typename Key, typename Read> class Best {
public:
  Best(int64_t kept, Read read) : kept(kept), read(read) {}

  static constexpr int32_t tile = tileKeys<Key>;
  /// More are not kept in this way.
  static constexpr int32_t mostKept = tile / 4;

  /// Of the positions from `first` to `last`. They are in the tile then, behind
  /// them none.
  void find(int64_t first, int64_t last) {
    constexpr int64_t few = tile / 2;
    int64_t many = int64_t(each) * tegulaGpuNumThreads();
    setFilled(0);
    // A bound that holds most keys off, soon.
    int64_t span = tile / 8;
    for (int64_t next = first; next < last;) {
      int64_t end = least(next + span, last);
      bool isRoom = gather(next, end);
      if (isRoom)
        next = end;
      if (!isRoom || next == last || (filled >= kept && bound.isNone()))
        settle();
      span = !isRoom ? few : bound.isNone() ? span : least(2 * span, many);
    }
  }

private:
  /// Elements of a thread that are looked at before a barrier.
  static constexpr int32_t each = 8;

  int64_t kept;
  Read read;
  Key bound = Key::none();
  int32_t filled = 0;

  /// Behind the keys is how many there are.
  static uint32_t *getCount() {
    return reinterpret_cast<uint32_t *>(getTile<Key>() + tile - 1);
  }

  void setFilled(int32_t number) {
    tegulaGpuBarrier();
    if (tegulaGpuThread() == 0)
      *getCount() = number;
    tegulaGpuBarrier();
    filled = number;
  }

  /// Adds the keys before the bound. False if there is no room for all: then
  /// none is added.
  [[gnu::always_inline]] bool gather(int64_t first, int64_t last) {
    int32_t threads = tegulaGpuNumThreads();
    Key keys[each];
    uint32_t found = 0;
#pragma unroll
    for (int32_t i = 0; i < each; ++i) {
      int64_t position = first + tegulaGpuThread() + int64_t(i) * threads;
      keys[i] = position < last ? read(position) : Key::none();
    }
#pragma unroll
    for (int32_t i = 0; i < each; ++i)
      found += keys[i].isBefore(bound);
    uint32_t slot = found ? tegulaGpuAdd(getCount(), found) : 0;
    tegulaGpuBarrier();
    auto all = static_cast<int32_t>(*getCount());
    tegulaGpuBarrier();
    if (all >= tile) {
      setFilled(filled);
      return false;
    }
#pragma unroll
    for (int32_t i = 0; i < each; ++i)
      if (keys[i].isBefore(bound))
        getTile<Key>()[slot++] = keys[i];
    filled = all;
    return true;
  }

  /// Sorts what was gathered, and forgets what does not stay.
  [[gnu::always_inline]] void settle() {
    Key *keys = getTile<Key>();
    int32_t room = powerFrom(most(filled, kept));
    tegulaGpuBarrier();
    shareOut(room - filled, [&](int64_t i) { keys[filled + i] = Key::none(); });
    tegulaGpuBarrier();
    sortTile<Key>(room);
    bound = keys[kept - 1];
    setFilled(int32_t(least(filled, kept)));
  }
};

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEBEST_H
