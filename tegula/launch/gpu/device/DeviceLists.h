// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lists that blocks sort. Short ones are sorted in the memory beside the
/// shared one, several at once; of longer ones either the first few are found,
/// or they are sorted in scratch memory, each by one block if there are many,
/// else by all.

#ifndef TEGULA_LAUNCH_GPU_DEVICE_DEVICELISTS_H
#define TEGULA_LAUNCH_GPU_DEVICE_DEVICELISTS_H

#include "tegula/launch/gpu/device/DeviceBest.h"
#include "tegula/launch/gpu/device/DeviceRadix.h"

namespace tegula::gpu {

/// `count` lists of up to `length` elements, whose first `kept` are wanted.
/// `read(list, place)` is a key, whose order has so many `bits`, or none beyond
/// the end of a list; `write(list, place, key)` says which key comes to a
/// place.
template <typename Key, typename Read, typename Write> struct Lists {
  Part part;
  TegulaGpuArena *arena;
  int64_t count, length, kept;
  int32_t bits;
  Read read;
  Write write;

  void sort() const {
    if (count <= 0 || length <= 0 || kept <= 0)
      return;
    if (length <= tileKeys<Key>)
      sortShort();
    else if (kept <= Best<Key, Read>::mostKept)
      findBest();
    else
      sortLong();
  }

private:
  using Sorter = Radix<Key, Read>;

  void put(int64_t list, int64_t place, Key key) const {
    if (!key.isNone())
      write(list, place, key);
  }

  void sortShort() const {
    Key *keys = getTile<Key>();
    int32_t width = powerFrom(length);
    int64_t atOnce = tileKeys<Key> / width;
    for (int64_t first = part.number * atOnce; first < count;
         first += part.count * atOnce) {
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

  template <typename From>
  static void findFirst(int64_t kept, int64_t first, int64_t last, From from) {
    Best<Key, From>(kept, from).find(first, last);
  }

  /// Where there are more blocks than lists, several find the first keys of
  /// parts of a list.
  void findBest() const {
    int64_t pieces = part.piecesOf(count, length);
    void *memory = nullptr;
    if (pieces > 1)
      memory = tegulaGpuScratchPush(arena, count * pieces * kept *
                                               int64_t(sizeof(Key)));
    if (!memory)
      pieces = 1;
    auto *found = static_cast<Key *>(memory);
    Key *keys = getTile<Key>();
    for (int64_t number = part.number; number < count * pieces;
         number += part.count) {
      int64_t list = number / pieces, piece = number % pieces;
      findFirst(kept, piece * length / pieces, (piece + 1) * length / pieces,
                [this, list](int64_t place) { return read(list, place); });
      shareOut(kept, [&](int64_t i) {
        if (found)
          found[number * kept + i] = keys[i];
        else
          put(list, i, keys[i]);
      });
      tegulaGpuBarrier();
    }
    if (!found)
      return;
    part.wait();
    for (int64_t list = part.number; list < count; list += part.count) {
      const Key *ofList = found + list * pieces * kept;
      findFirst(kept, 0, pieces * kept,
                [ofList](int64_t place) { return ofList[place]; });
      shareOut(kept, [&](int64_t i) { put(list, i, keys[i]); });
      tegulaGpuBarrier();
    }
    tegulaGpuScratchPop(arena, memory);
  }

  /// Sorts `some` lists from `first` on, which `by` does.
  void sortSome(const Part &by, int64_t first, int64_t some,
                char *memory) const {
    auto *keys = reinterpret_cast<Key *>(memory);
    auto readSome = [this, first](int64_t list, int64_t place) {
      return read(first + list, place);
    };
    Radix<Key, decltype(readSome)> sorter{
        by,
        some,
        length,
        readSome,
        keys,
        keys + some * length,
        reinterpret_cast<uint32_t *>(keys + 2 * some * length)};
    sorter.sort(bits);
    int64_t tile = sorter.tile, tiles = (kept + tile - 1) / tile;
    for (int64_t number = by.number; number < some * tiles;
         number += by.count) {
      int64_t list = number / tiles, start = number % tiles * tile;
      shareOut(least(tile, kept - start), [&](int64_t i) {
        put(first + list, start + i, sorter.get(list, start + i));
      });
    }
    tegulaGpuBarrier();
  }

  void sortLong() const {
    int64_t each = (Sorter::bytesFor(1, length) + 63) / 64 * 64;
    // So many lists there is memory for.
    int64_t room = least(count, (arena->end - arena->top) / each);
    int64_t blocks = least(room, part.count);
    auto *memory = static_cast<char *>(
        room > 0 ? tegulaGpuScratchPush(arena, room * each) : nullptr);
    if (!memory)
      return placeAll();
    bool isOfOneBlock = part.count == 1 || length <= Sorter::longestTile() ||
                        (count >= 2 * part.count && 2 * blocks >= part.count);
    if (isOfOneBlock) {
      for (int64_t list = part.number; part.number < blocks && list < count;
           list += blocks)
        sortSome(Part::whole(), list, 1, memory + part.number * each);
    } else {
      // About as many at a time.
      int64_t times = (count + room - 1) / room;
      for (int64_t time = 0; time < times; ++time) {
        int64_t first = count * time / times, last = count * (time + 1) / times;
        sortSome(part, first, last - first, memory);
      }
    }
    tegulaGpuScratchPop(arena, memory);
  }

  /// Takes no memory, and time that grows with the square of a list: counts how
  /// many keys come before each.
  void placeAll() const {
    part.shareOut(count * length, [&](int64_t i) {
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
               int64_t length, int64_t kept, int32_t bits, Read read,
               Write write) {
  Lists<Key, Read, Write>{part, arena, count, length, kept, bits, read, write}
      .sort();
}

} // namespace tegula::gpu

#endif // TEGULA_LAUNCH_GPU_DEVICE_DEVICELISTS_H
