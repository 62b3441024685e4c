// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Long lists, sorted by blocks together: eight bits of the order after each
/// other, the lowest first, and those with equal bits stay in their order. So
/// keys need only be in the order of their places at first.
///
/// A list is made of tiles. For each eight bits threads count how often they
/// are what in each tile, add up where the keys of a tile go, and move them.
/// In a tile a warp has neighbours: 32 of them after the other 32.

#ifndef TEGULA_LAUNCH_GPU_DEVICE_DEVICERADIX_H
#define TEGULA_LAUNCH_GPU_DEVICE_DEVICERADIX_H

#include "tegula/launch/gpu/device/DeviceKeys.h"

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
/// a function of their places.
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
  static constexpr int32_t each = 16;
  static constexpr int64_t shortestTile = TegulaGpuBlockElements;

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

  /// By at least one bit. Blocks have met when it returns.
  [[gnu::always_inline]] void sort(int32_t bits) {
    sortDigit(0, read, /*mayStay=*/false);
    for (int32_t low = digitBits; low < bits; low += digitBits)
      sortDigit(
          low, [this](int64_t list) { return sorted(list); }, count == 1);
  }

  /// The keys of a list, as a function of their places.
  auto sorted(int64_t list) const {
    const Key *keys = from + list * length;
    return [keys](int64_t place) { return keys[place]; };
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
    uint16_t ranks[each];
    /// The place of the first in the tile, and which are there: one bit each.
    int32_t first;
    uint32_t isThere;

    bool has(int32_t number) const { return isThere >> number & 1; }
  };

  template <typename From>
  [[gnu::always_inline]] void sortDigit(int32_t low, From source,
                                        bool mayStay) {
    bool isOneTile = tiles() == 1;
    if (!isOneTile) {
      forTiles([&](int64_t list, int64_t number) {
        countTile(list, number, low, source(list));
      });
      part.wait();
      addUp();
      part.wait();
      if (mayStay && isOneDigit())
        return;
    }
    forTiles([&](int64_t list, int64_t number) {
      moveTile(list, number, low, source(list), isOneTile);
    });
    part.wait();
    Key *moved = to;
    to = from;
    from = moved;
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
  template <typename From>
  [[gnu::always_inline]] void rank(int64_t number, int32_t low, From keyAt,
                                   Own &own) const {
    int32_t threads = tegulaGpuNumThreads(), self = tegulaGpuThread();
    int64_t start = number * tile;
    auto there = int32_t(least(tile, length - start));
    // Warps have about as many keys, whatever there is.
    int32_t rounds = (there + threads - 1) / threads;
    int32_t lane = self % warp;
    own.first = self / warp * warp * rounds + lane;
    own.isThere = 0;
    uint16_t *ofWarp = shared().ofWarp + self / warp * digits;
    for (int32_t digit = lane; digit < digits; digit += warp)
      ofWarp[digit] = 0;
#pragma unroll
    for (int32_t i = 0; i < each; ++i) {
      int32_t place = own.first + i * warp;
      bool isThere = i < rounds && place < there;
      own.keys[i] = isThere ? keyAt(start + place) : Key::none();
      own.isThere |= uint32_t(isThere) << i;
    }
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
      own.ranks[i] = uint16_t(known + __builtin_popcount(earlier));
      tegulaGpuRowBarrier(warp);
    }
    tegulaGpuBarrier();
  }

  /// How often a digit is in the tile; what warps have becomes what those
  /// before them have.
  static uint32_t addUpWarps(int32_t digit) {
    uint32_t sum = 0;
    for (int32_t i = 0; i < tegulaGpuNumThreads() / warp; ++i) {
      uint16_t &ofWarp = shared().ofWarp[i * digits + digit];
      uint32_t own = ofWarp;
      ofWarp = uint16_t(sum);
      sum += own;
    }
    return sum;
  }

  template <typename From>
  [[gnu::always_inline]] void countTile(int64_t list, int64_t number,
                                        int32_t low, From keyAt) const {
    uint32_t *found = shared().start;
    shareOut(digits, [&](int64_t digit) { found[digit] = 0; });
    tegulaGpuBarrier();
    int64_t start = number * tile, end = least(start + tile, length);
    constexpr int32_t atOnce = 8;
    int32_t threads = tegulaGpuNumThreads();
    for (int64_t first = start + tegulaGpuThread(); first < end;
         first += atOnce * threads) {
      uint32_t here[atOnce];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i) {
        int64_t at = first + i * threads;
        here[i] = at < end ? digitOf(keyAt(at), low) : uint32_t(digits);
      }
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        if (here[i] < digits)
          tegulaGpuAdd(found + here[i], 1);
    }
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
  void findStarts(int64_t list, int64_t number, bool isOneTile) const {
    int32_t self = tegulaGpuThread(), ownWarp = self / warp;
    int32_t ofThread = digits / tegulaGpuNumThreads(), first = self * ofThread;
    const uint32_t *ofList = countsAt(list);
    uint32_t own = 0, before, all;
    for (int32_t digit = first; digit < first + ofThread; ++digit) {
      uint32_t here = addUpWarps(digit);
      shared().start[digit] = own;
      own += isOneTile ? here : ofList[digits * tiles() + digit];
    }
    addUpWarp(own, before, all);
    if (self % warp == 0)
      shared().sums[ownWarp] = all;
    tegulaGpuBarrier();
    for (int32_t i = 0; i < ownWarp; ++i)
      before += shared().sums[i];
    for (int32_t digit = first; digit < first + ofThread; ++digit)
      shared().start[digit] +=
          before + (isOneTile ? 0 : ofList[digit * tiles() + number]);
    tegulaGpuBarrier();
  }

  template <typename From>
  [[gnu::always_inline]] void moveTile(int64_t list, int64_t number,
                                       int32_t low, From keyAt,
                                       bool isOneTile) const {
    Own own;
    rank(number, low, keyAt, own);
    findStarts(list, number, isOneTile);
    const uint16_t *ofWarp =
        shared().ofWarp + tegulaGpuThread() / warp * digits;
#pragma unroll
    for (int32_t i = 0; i < each; ++i)
      if (own.has(i)) {
        uint32_t digit = digitOf(own.keys[i], low);
        to[list * length + shared().start[digit] + ofWarp[digit] +
           own.ranks[i]] = own.keys[i];
      }
    tegulaGpuBarrier();
  }
};

} // namespace tegula::gpu

#endif // TEGULA_LAUNCH_GPU_DEVICE_DEVICERADIX_H
