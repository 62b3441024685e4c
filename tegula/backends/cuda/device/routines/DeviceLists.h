// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lists that blocks sort. Short ones are sorted in registers, several at once;
/// of longer ones either the first few are found, or they are sorted in scratch
/// memory, each by one block if there are many, else by all.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICELISTS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICELISTS_H

#include "tegula/backends/cuda/device/routines/DeviceBest.h"
#include "tegula/backends/cuda/device/routines/DeviceRadix.h"

namespace tegula::gpu {

/// How lists are sorted: with few keys of each thread or many, or in memory.
enum class Way { None, Few, Many, Best, Long };

/// `count` lists of up to `length` elements, whose first `kept` are wanted.
/// `read(list)` says what key is at a position, whose order has so many `bits`,
/// or none beyond the end of a list; `write(list)` takes which key comes to a
/// position. Both are functions.
template <typename Key, typename Read, typename Write> struct Lists {
  Part part;
  TegulaGpuArena *arena;
  int64_t count, length, kept;
  int32_t bits;
  Read read;
  Write write;

  Way way() const {
    if (count <= 0 || length <= 0 || kept <= 0)
      return Way::None;
    if (length <= fewKeys * tegulaGpuNumThreads())
      return Way::Few;
    if (kept <= Best<Key, Read>::mostKept && length > tileKeys<Key>)
      return Way::Best;
    return length <= manyKeys * tegulaGpuNumThreads() ? Way::Many : Way::Long;
  }

  template <Way by> [[gnu::always_inline]] void sortBy() const {
    if constexpr (by == Way::Few)
      sortShort<fewKeys>();
    else if constexpr (by == Way::Many)
      sortShort<manyKeys>();
    else if constexpr (by == Way::Best)
      findBest();
    else
      sortLong();
  }

private:
  using Sorter = Radix<Key, Read>;
  /// Of a thread.
  static constexpr int32_t fewKeys = 4, manyKeys = 16;
  static_assert(manyKeys * 256 == TegulaGpuShortList,
                "host code asks for memory for longer lists");

  template <typename Put>
  [[gnu::always_inline]] static void put(Put write, int64_t position, Key key) {
    if (!key.isNone())
      write(position, key);
  }

  /// So many keys of a thread.
  template <int32_t each> [[gnu::always_inline]] void sortShort() const {
    Network<Key, each> network;
    auto width = int32_t(most(each, powerFrom(length)));
    int32_t slots = network.slots(), atOnce = slots / width;
    // Threads of a list read neighbours: their keys come in any order.
    int32_t apart = width / each, own = tegulaGpuThread() / apart,
            start = tegulaGpuThread() & (apart - 1);
    for (int64_t first = int64_t(part.number) * atOnce; first < count;
         first += int64_t(part.count) * atOnce) {
      bool isThere = first + own < count;
      auto keyAt = read(isThere ? first + own : first);
#pragma unroll
      for (int32_t i = 0; i < each; ++i) {
        int32_t position = start + i * apart;
        network.keys[i] =
            isThere && position < length ? keyAt(position) : Key::none();
      }
      network.sort(width);
      auto used = int32_t(least(atOnce, count - first)) * width;
      network.forSlots(used, [&](int32_t slot, Key key) {
        int32_t position = slot & (width - 1);
        if (position < kept)
          put(write(first + slot / width), position, key);
      });
    }
  }

  template <typename From>
  [[gnu::always_inline]] static void findFirst(int64_t kept, int64_t first,
                                               int64_t last, From from) {
    Best<Key, From>(kept, from).find(first, last);
  }

  /// Where there are more blocks than lists, several find the first keys of
  /// parts of a list.
  [[gnu::always_inline]] void findBest() const {
    int64_t chunks = part.countChunks(count, length);
    void *memory = nullptr;
    if (chunks > 1)
      memory = tegulaGpuScratchPush(arena, count * chunks * kept *
                                               int64_t(sizeof(Key)));
    if (!memory)
      chunks = 1;
    auto *found = static_cast<Key *>(memory);
    Key *keys = getTile<Key>();
    for (int64_t number = part.number; number < count * chunks;
         number += part.count) {
      int64_t list = number / chunks, chunk = number % chunks;
      findFirst(kept, chunk * length / chunks, (chunk + 1) * length / chunks,
                read(list));
      shareOut(kept, [&](int64_t i) {
        if (found)
          found[number * kept + i] = keys[i];
        else
          put(write(list), i, keys[i]);
      });
      tegulaGpuBarrier();
    }
    if (!found)
      return;
    part.wait();
    for (int64_t list = part.number; list < count; list += part.count) {
      const Key *ofList = found + list * chunks * kept;
      findFirst(kept, 0, chunks * kept,
                [ofList](int64_t position) { return ofList[position]; });
      shareOut(kept, [&](int64_t i) { put(write(list), i, keys[i]); });
      tegulaGpuBarrier();
    }
    tegulaGpuScratchPop(arena, memory);
  }

  /// Sorts `some` lists from `first` on, which `by` does.
  [[gnu::always_inline]] void sortSome(const Part &by, int64_t first,
                                       int64_t some, char *memory) const {
    auto *keys = reinterpret_cast<Key *>(memory);
    auto readSome = [this, first](int64_t list) { return read(first + list); };
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
      auto to = write(first + list);
      auto keyAt = sorter.sorted(list);
      shareOut(least(tile, kept - start),
               [&](int64_t i) { put(to, start + i, keyAt(start + i)); });
    }
    // The next lists may be fewer, and then their counts lie where keys of
    // these are.
    by.wait();
  }

  [[gnu::always_inline]] void sortLong() const {
    int64_t each = (Sorter::bytesFor(1, length) + 63) / 64 * 64;
    // So many lists there is memory for.
    int64_t room = least(count, (arena->end - arena->top) / each);
    int64_t blocks = least(room, part.count);
    auto *memory = static_cast<char *>(
        room > 0 ? tegulaGpuScratchPush(arena, room * each) : nullptr);
    if (!memory)
      return storeAll();
    bool isOfOneBlock = part.count == 1 ||
                        (count >= 2 * part.count && 2 * blocks >= part.count);
    // About as many at a time: of one block one, and others have nothing to do.
    int64_t first = isOfOneBlock ? part.number : 0;
    int64_t times = (count + room - 1) / room;
    if (isOfOneBlock)
      times = part.number < blocks ? (count - part.number + blocks - 1) / blocks
                                   : 0;
    for (int64_t time = 0; time < times; ++time) {
      int64_t last = isOfOneBlock ? first + 1 : count * (time + 1) / times;
      sortSome(isOfOneBlock ? Part::whole() : part, first, last - first,
               isOfOneBlock ? memory + part.number * each : memory);
      first = isOfOneBlock ? first + blocks : last;
    }
    tegulaGpuScratchPop(arena, memory);
  }

  /// Takes no memory, and time that grows with the square of a list: counts how
  /// many keys come before each.
  [[gnu::noinline]] void storeAll() const {
    part.shareOut(count * length, [&](int64_t i) {
      int64_t list = i / length, before = 0;
      auto keyAt = read(list);
      Key own = keyAt(i % length);
      for (int64_t position = 0; position < length; ++position)
        before += keyAt(position).isBefore(own);
      if (before < kept)
        put(write(list), before, own);
    });
    tegulaGpuBarrier();
  }
};

/// Sorts lists that a class `Given` describes: what it was asked for is passed
/// to `Given::make`, which makes the lists, with all that is known of rows at
/// hand or not. Each way is a function, so that none has to make room for what
/// others know.
template <typename Given, Way by, typename... Asked>
[[gnu::noinline]] void sortListsBy(Asked... asked) {
  Given::template make<by == Way::Few>(asked...).template sortBy<by>();
}
template <typename Given, typename... Asked>
[[gnu::always_inline]] inline void sortLists(Asked... asked) {
  switch (Given::template make<false>(asked...).way()) {
  case Way::None:
    return;
  case Way::Few:
    return sortListsBy<Given, Way::Few>(asked...);
  case Way::Many:
    return sortListsBy<Given, Way::Many>(asked...);
  case Way::Best:
    return sortListsBy<Given, Way::Best>(asked...);
  case Way::Long:
    return sortListsBy<Given, Way::Long>(asked...);
  }
}

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICELISTS_H
