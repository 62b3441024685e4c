// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Long lists, sorted by blocks together: eight bits of the order after each
/// other, the lowest first, and those with equal bits stay in their order. So
/// keys need only be in the order of their positions at first.
///
/// A list is made of tiles. For each eight bits threads count how often they
/// are what in each tile, add up where the keys of a tile go, and move them.
/// In a tile a warp has neighbours: 32 of them after the other 32.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICERADIX_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICERADIX_H

#include "tegula/backends/cuda/device/routines/DeviceKeys.h"

namespace tegula::gpu {

/// What the threads of a warp before this one have together, and all of them.
/// All threads of the block call it.
inline void addUpWarp(uint32_t own, uint32_t &before, uint32_t &all) {
  constexpr int32_t warp = 32;
  before = 0;
  all = own;
  for (int32_t apart = 1; apart < warp; apart *= 2) {
    uint32_t other = tegulaGpuExchange(int32_t(all), apart);
    if (tegulaGpuThread() & apart)
      before += other;
    all += other;
  }
}

/// `count` lists of `length` keys. `read(list)` says what they are at first, as
/// a function of their positions.
template <typename Key, typename Read> struct Radix {
  Part part;
  int64_t count, length;
  Read read;
  /// Room for all keys, twice, and for counts: `countsOf(length, tile)` for a
  /// list.
  Key *from, *to;
  uint32_t *counts;
  /// Keys of a tile: as many as all blocks have something to do with.
  int64_t tile = tileOf(part, count *length);

  static constexpr int32_t digitBits = 8, digits = 1 << digitBits, warp = 32;
  /// Keys of a thread in a tile, at most.
  static constexpr int32_t each = 8;
  static constexpr int64_t shortestTile = 512;

  static int64_t longestTile() { return int64_t(each) * tegulaGpuNumThreads(); }
  static int64_t tileOf(const Part &part, int64_t keys) {
    int64_t tile = shortestTile;
    while (tile < longestTile() && tile * part.count < keys)
      tile *= 2;
    return tile;
  }
  static int64_t tilesOf(int64_t length, int64_t tile) {
    return (length + tile - 1) / tile;
  }
  /// Of each digit how often it is in each tile, and in the list.
  static int64_t countsOf(int64_t length, int64_t tile) {
    return digits * (tilesOf(length, tile) + 1);
  }
  /// What sorting so many lists takes.
  static int64_t bytesFor(int64_t count, int64_t length) {
    return count * (2 * length * int64_t(sizeof(Key)) +
                    countsOf(length, shortestTile) * int64_t(sizeof(uint32_t)));
  }

  /// By at least one bit. Blocks are synchronized when it returns.
  [[gnu::always_inline]] void sort(int32_t bits) {
    int32_t low = 0;
#pragma nounroll
    do {
      sortDigit(low);
      low += digitBits;
    } while (low < bits);
  }

  /// The keys of a list, as a function of their positions.
  auto sorted(int64_t list) const {
    const Key *keys = from + list * length;
    return [keys](int64_t position) { return keys[position]; };
  }

private:
  int64_t tiles() const { return tilesOf(length, tile); }

  /// What threads of a block know of a tile together.
  struct Shared {
    /// How often a warp has a digit, then where its first goes among those of
    /// the tile.
    uint16_t ofWarp[8 * digits];
    /// Where the first key with a digit goes.
    uint32_t start[digits];
    uint32_t sums[8];
  };
  static_assert(sizeof(Shared) <= 8 * tegulaGpuNumPartials, "there is room");
  static Shared &shared() {
    return *reinterpret_cast<Shared *>(tegulaGpuPartials());
  }

  /// The keys of a thread, and how many before each the warp has of its digit.
  struct Own {
    Key keys[each];
    uint32_t ranks[each];
    /// Which are there: one bit each.
    uint32_t isThere;

    bool has(int32_t number) const { return isThere >> number & 1; }
  };

  [[gnu::always_inline]] void sortDigit(int32_t low) {
    bool isFirst = low == 0;
    forTiles([&](int64_t list, int64_t number) {
      countTile(list, number, low, isFirst);
    });
    part.wait();
    addUp();
    part.wait();
    // What was not moved yet is not where it belongs.
    if (!isFirst && count == 1 && isOneDigit())
      return;
    forTiles([&](int64_t list, int64_t number) {
      moveTile(list, number, low, isFirst);
    });
    part.wait();
    Key *moved = to;
    to = from;
    from = moved;
  }

  /// Calls `take(i, isThere, key)` for the keys that a thread has in a tile:
  /// from `first` on, each `apart`.
  template <typename Take>
  [[gnu::always_inline]] void readKeys(int64_t list, int64_t first,
                                       int32_t apart, int64_t end, bool isFirst,
                                       Take take) const {
    auto readBy = [&](auto keyAt) {
#pragma unroll
      for (int32_t i = 0; i < each; ++i) {
        int64_t at = first + i * apart;
        take(i, at < end, at < end ? keyAt(at) : Key::none());
      }
    };
    if (isFirst)
      readBy(read(list));
    else
      readBy(sorted(list));
  }

  template <typename Visit>
  [[gnu::always_inline]] void forTiles(Visit visit) const {
    for (int64_t number = part.number; number < count * tiles();
         number += part.count)
      visit(number / tiles(), number % tiles());
  }

  uint32_t *countsAt(int64_t list) const {
    return counts + list * countsOf(length, tile);
  }

  static uint32_t digitOf(Key key, int32_t low) {
    return uint32_t(key.order() >> low) & (digits - 1);
  }

  /// Reads the keys of a tile and ranks them.
  [[gnu::always_inline]] void rank(int64_t list, int64_t number, int32_t low,
                                   bool isFirst, Own &own) const {
    int32_t threads = tegulaGpuNumThreads(), self = tegulaGpuThread();
    int64_t start = number * tile, end = least(start + tile, length);
    // Warps have about as many keys, whatever there is.
    int32_t rounds = (int32_t(end - start) + threads - 1) / threads;
    int32_t lane = self % warp;
    own.isThere = 0;
    uint16_t *ofWarp = shared().ofWarp + self / warp * digits;
    for (int32_t digit = lane; digit < digits; digit += warp)
      ofWarp[digit] = 0;
    int64_t first = start + self / warp * warp * rounds;
    readKeys(list, first + lane, warp, least(end, first + warp * rounds),
             isFirst, [&](int32_t i, bool isThere, Key key) {
               own.keys[i] = key;
               own.isThere |= uint32_t(isThere) << i;
             });
    tegulaGpuRowBarrier(warp);
#pragma unroll
    for (int32_t i = 0; i < each; ++i) {
      if (i >= rounds)
        continue;
      bool isThere = own.has(i);
      uint32_t digit = isThere ? digitOf(own.keys[i], low) : uint32_t(digits);
      uint32_t same = tegulaGpuMatch(digit, digitBits + 1);
      uint32_t earlier = same & ((1u << lane) - 1);
      uint32_t known = isThere ? ofWarp[digit] : 0;
      tegulaGpuRowBarrier(warp);
      if (isThere && earlier == 0)
        ofWarp[digit] = uint16_t(known + __builtin_popcount(same));
      own.ranks[i] = known + __builtin_popcount(earlier);
      tegulaGpuRowBarrier(warp);
    }
    tegulaGpuBarrier();
  }

  /// How often a digit is in each warp becomes how often those before have it.
  static void addUpWarps(int32_t digit) {
    uint32_t sum = 0;
    for (int32_t i = 0; i < tegulaGpuNumThreads() / warp; ++i) {
      uint16_t &ofWarp = shared().ofWarp[i * digits + digit];
      uint32_t own = ofWarp;
      ofWarp = uint16_t(sum);
      sum += own;
    }
  }

  [[gnu::always_inline]] void countTile(int64_t list, int64_t number,
                                        int32_t low, bool isFirst) const {
    uint32_t *found = shared().start;
    shareOut(digits, [&](int64_t digit) { found[digit] = 0; });
    tegulaGpuBarrier();
    int64_t start = number * tile;
    readKeys(list, start + tegulaGpuThread(), tegulaGpuNumThreads(),
             least(start + tile, length), isFirst,
             [&](int32_t, bool isThere, Key key) {
               if (isThere)
                 tegulaGpuAdd(found + digitOf(key, low), 1);
             });
    tegulaGpuBarrier();
    shareOut(digits, [&](int64_t digit) {
      countsAt(list)[digit * tiles() + number] = found[digit];
    });
    tegulaGpuBarrier();
  }

  /// How often a digit is in a tile becomes how often it is in those before; a
  /// warp has a digit of a list.
  void addUp() const {
    int32_t threads = tegulaGpuNumThreads(), lane = tegulaGpuThread() % warp;
    int64_t warps = int64_t(part.count) * (threads / warp);
    int64_t all = tiles(), some = (all + warp - 1) / warp;
    int64_t first = least(lane * some, all);
    int64_t last = least(first + some, all);
    for (int64_t start = int64_t(part.number) * (threads / warp);
         start < count * digits; start += warps) {
      int64_t number = start + tegulaGpuThread() / warp;
      bool isThere = number < count * digits;
      int64_t digit = number % digits;
      uint32_t *ofList = countsAt(isThere ? number / digits : 0);
      uint32_t *ofDigit = ofList + (isThere ? digit * all : 0);
      uint32_t own = 0, before, sum;
      for (int64_t i = first; isThere && i < last; ++i)
        own += ofDigit[i];
      addUpWarp(own, before, sum);
      for (int64_t i = first; isThere && i < last; ++i) {
        uint32_t here = ofDigit[i];
        ofDigit[i] = before;
        before += here;
      }
      if (isThere && lane == 0)
        ofList[digits * all + digit] = sum;
    }
  }

  /// True if all keys of the only list have the same digit: they stay.
  bool isOneDigit() const {
    const uint32_t *sums = countsAt(0) + digits * tiles();
    uint32_t *found = shared().sums;
    tegulaGpuBarrier();
    if (tegulaGpuThread() == 0)
      *found = 0;
    tegulaGpuBarrier();
    shareOut(digits, [&](int64_t digit) {
      if (sums[digit] == length)
        *found = 1;
    });
    tegulaGpuBarrier();
    bool isIt = *found != 0;
    tegulaGpuBarrier();
    return isIt;
  }

  /// Where the keys with each digit begin. A thread has neighbouring digits.
  void findStarts(int64_t list, int64_t number) const {
    int32_t self = tegulaGpuThread(), ownWarp = self / warp;
    int32_t ofThread = digits / tegulaGpuNumThreads(), first = self * ofThread;
    const uint32_t *ofList = countsAt(list);
    uint32_t own = 0, before, all;
    for (int32_t digit = first; digit < first + ofThread; ++digit) {
      addUpWarps(digit);
      shared().start[digit] = own;
      own += ofList[digits * tiles() + digit];
    }
    addUpWarp(own, before, all);
    if (self % warp == 0)
      shared().sums[ownWarp] = all;
    tegulaGpuBarrier();
    for (int32_t i = 0; i < ownWarp; ++i)
      before += shared().sums[i];
    for (int32_t digit = first; digit < first + ofThread; ++digit)
      shared().start[digit] += before + ofList[digit * tiles() + number];
    tegulaGpuBarrier();
  }

  [[gnu::always_inline]] void moveTile(int64_t list, int64_t number,
                                       int32_t low, bool isFirst) const {
    Own own;
    rank(list, number, low, isFirst, own);
    findStarts(list, number);
    const uint16_t *ofWarp =
        shared().ofWarp + tegulaGpuThread() / warp * digits;
    Key *target = to + list * length;
#pragma unroll
    for (int32_t i = 0; i < each; ++i)
      if (own.has(i)) {
        uint32_t digit = digitOf(own.keys[i], low);
        target[shared().start[digit] + ofWarp[digit] + own.ranks[i]] =
            own.keys[i];
      }
    tegulaGpuBarrier();
  }
};

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICERADIX_H
