// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lists that the threads of a block sort together. Elements are sorted by
/// keys, no two of which are equal: the order of an element, and its place.
/// As many keys as fit beside the shared memory are sorted by a bitonic network
/// there, several short lists at once; longer lists are made of such tiles,
/// which are merged in scratch memory.

#ifndef TEGULA_LAUNCH_GPU_DEVICE_DEVICELISTS_H
#define TEGULA_LAUNCH_GPU_DEVICE_DEVICELISTS_H

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
  int64_t place() const { return uint32_t(bits); }
  bool isBefore(NarrowKey other) const { return bits < other.bits; }
};

/// Of elements of 64 bits.
struct WideKey {
  using Order = uint64_t;
  uint64_t order, number;

  static WideKey make(Order order, int64_t place) {
    return {order, uint64_t(place)};
  }
  static WideKey none() { return {~uint64_t(0), ~uint64_t(0)}; }
  bool isNone() const { return number == ~uint64_t(0); }
  int64_t place() const { return int64_t(number); }
  bool isBefore(WideKey other) const {
    return order != other.order ? order < other.order : number < other.number;
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

/// `count` lists of up to `length` elements, whose first `kept` are wanted.
/// `read(list, place)` is a key, or none beyond the end of a list;
/// `write(list, place, key)` says which key comes to a place.
/// Long lists are sorted by all blocks of the part together, short ones by the
/// first.
template <typename Key, typename Read, typename Write> struct Lists {
  Part part;
  TegulaGpuArena *arena;
  int64_t count, length, kept;
  Read read;
  Write write;

  void sort() const {
    if (count <= 0 || length <= 0 || kept <= 0)
      return;
    if (length <= tileKeys<Key>) {
      if (part.number == 0)
        sortShort();
      return;
    }
    void *memory =
        tegulaGpuScratchPush(arena, 2 * length * int64_t(sizeof(Key)));
    if (!memory) {
      if (part.number == 0)
        placeAll();
      return;
    }
    auto *keys = static_cast<Key *>(memory);
    for (int64_t list = 0; list < count; ++list)
      sortLong(list, keys, keys + length);
    tegulaGpuScratchPop(arena, memory);
  }

private:
  void put(int64_t list, int64_t place, Key key) const {
    if (!key.isNone())
      write(list, place, key);
  }

  void sortShort() const {
    Key *keys = getTile<Key>();
    int32_t width = powerFrom(length);
    int64_t atOnce = tileKeys<Key> / width;
    for (int64_t first = 0; first < count; first += atOnce) {
      int64_t all = least(atOnce, count - first) * width;
      shareOut(all, [&](int64_t i) {
        int64_t place = i & (width - 1);
        keys[i] = place < length ? read(first + i / width, place) : Key::none();
      });
      tegulaGpuBarrier();
      sortTile(keys, all, width);
      shareOut(all, [&](int64_t i) {
        int64_t place = i & (width - 1);
        if (place < kept)
          put(first + i / width, place, keys[i]);
      });
      tegulaGpuBarrier();
    }
  }

  void sortLong(int64_t list, Key *from, Key *to) const {
    Key *keys = getTile<Key>();
    constexpr int64_t tile = tileKeys<Key>;
    for (int64_t start = part.number * tile; start < length;
         start += part.count * tile) {
      int64_t there = least(tile, length - start);
      int32_t width = powerFrom(there);
      shareOut(width, [&](int64_t i) {
        keys[i] = i < there ? read(list, start + i) : Key::none();
      });
      tegulaGpuBarrier();
      sortTile(keys, width, width);
      shareOut(least(there, kept),
               [&](int64_t i) { from[start + i] = keys[i]; });
      tegulaGpuBarrier();
    }
    part.wait();
    for (int64_t run = tile; run < length; run *= 2) {
      mergeRuns(from, to, run);
      part.wait();
      Key *merged = to;
      to = from;
      from = merged;
    }
    part.shareOut(least(kept, length),
                  [&](int64_t i) { put(list, i, from[i]); });
    part.wait();
  }

  /// Merges every two runs. Of a run only the keys that may be wanted are
  /// there.
  void mergeRuns(const Key *from, Key *to, int64_t run) const {
    int64_t pairs = (length + 2 * run - 1) / (2 * run);
    int64_t wanted = least(2 * run, kept), threads = part.numThreads();
    constexpr int64_t fewest = 4;
    int64_t each = most(fewest, (pairs * wanted + threads - 1) / threads);
    int64_t parts = (wanted + each - 1) / each;
    auto lengthAt = [&](int64_t start) {
      return most(0, least(least(run, kept), length - start));
    };
    part.shareOut(pairs * parts, [&](int64_t number) {
      int64_t start = number / parts * 2 * run, first = number % parts * each;
      int64_t left = lengthAt(start), right = lengthAt(start + run);
      merge(from + start, left, from + start + run, right, first,
            least(least(first + each, wanted), left + right), to + start);
    });
  }

  /// Writes the keys from `first` to `last` of what two runs are together.
  static void merge(const Key *left, int64_t numLeft, const Key *right,
                    int64_t numRight, int64_t first, int64_t last, Key *to) {
    if (first >= last)
      return;
    // How many of those before the first are of the left run.
    int64_t low = most(0, first - numRight), high = least(first, numLeft);
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (left[middle].isBefore(right[first - 1 - middle]))
        low = middle + 1;
      else
        high = middle;
    }
    int64_t i = low, j = first - low;
    Key ours = i < numLeft ? left[i] : Key::none();
    Key others = j < numRight ? right[j] : Key::none();
    for (int64_t at = first; at < last; ++at) {
      if (ours.isBefore(others)) {
        to[at] = ours;
        ours = ++i < numLeft ? left[i] : Key::none();
      } else {
        to[at] = others;
        others = ++j < numRight ? right[j] : Key::none();
      }
    }
  }

  /// Takes no memory, and time that grows with the square of a list: counts how
  /// many keys come before each.
  void placeAll() const {
    shareOut(count * length, [&](int64_t i) {
      int64_t list = i / length, before = 0;
      Key own = read(list, i % length);
      for (int64_t place = 0; place < length; ++place)
        before += read(list, place).isBefore(own);
      if (before < kept)
        put(list, before, own);
    });
    tegulaGpuBarrier();
  }
};

template <typename Key, typename Read, typename Write>
void sortLists(const Part &part, TegulaGpuArena *arena, int64_t count,
               int64_t length, int64_t kept, Read read, Write write) {
  Lists<Key, Read, Write>{part, arena, count, length, kept, read, write}.sort();
}

} // namespace tegula::gpu

#endif // TEGULA_LAUNCH_GPU_DEVICE_DEVICELISTS_H
