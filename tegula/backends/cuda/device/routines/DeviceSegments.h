// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Scatters and scatter-adds of many elements, by all blocks: they are sorted
/// by index, so that those for one index follow each other in their order. What
/// is added up is cut into tiles of neighbours, whatever their indices. A sum
/// that begins and ends in a tile is done; others are parts, and the parts of
/// all tiles are a shorter list, which is added up in the same way. So where
/// sums are cut depends on how many elements there are, and not on who adds
/// them up.
///
/// With tiles of 4 and elements for the indices 1 1 2 2 | 2 2 2 2 | 2 3 3 4,
/// the first tile is done with 1, and the last one with 3 and 4; the parts of 2
/// are
/// - a | b 0 | c -, where - is nothing and 0 adds nothing.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICESEGMENTS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICESEGMENTS_H

#include "tegula/backends/cuda/device/routines/DeviceIndexedRows.h"
#include "tegula/backends/cuda/device/routines/DeviceNetwork.h"
#include "tegula/backends/cuda/device/routines/DeviceRadix.h"

namespace tegula::gpu {

/// All rows have the same indices. `Move` says what becomes of an index.
template <typename Move> struct Segments {
  using Key = NarrowKey;
  using State = typename Move::State;

  IndexedRows indexedRows;
  Move move;
  Part part;
  TegulaGpuArena *arena;
  /// Elements of a row, and how many rows there are.
  int64_t length, width;

  /// False if there is not enough memory: then nothing was done.
  [[gnu::always_inline]] bool run() const {
    auto read = [indices = indexedRows.indicesOf(0),
                 none = nowhere()](int64_t) {
      return [indices, none](int64_t position) {
        int64_t index = indices.at(position);
        return Key::make(uint32_t(index < 0 ? none : index), position);
      };
    };
    using Sorter = Radix<Key, decltype(read)>;
    int64_t keyBytes = Sorter::bytesFor(1, length);
    void *memory = tegulaGpuScratchPush(arena, keyBytes + bytesOfParts());
    if (!memory)
      return false;
    auto *keys = static_cast<Key *>(memory);
    Sorter sorter{part,
                  1,
                  length,
                  read,
                  keys,
                  keys + length,
                  reinterpret_cast<uint32_t *>(keys + 2 * length)};
    sorter.sort(bitsOf(nowhere()));
    if constexpr (Move::keepsLast)
      putLast(sorter.sorted(0));
    else
      addAll(sorter.sorted(0), static_cast<char *>(memory) + keyBytes);
    tegulaGpuScratchPop(arena, memory);
    return true;
  }

private:
  /// Elements of a tile.
  static constexpr int64_t tile = TegulaGpuAddedInOrder;

  /// Elements whose index is out of range go behind the last place.
  int64_t nowhere() const { return indexedRows.all.get(2, 0, 1).length; }

  static int32_t bitsOf(int64_t number) {
    int32_t bits = 0;
    while (number >> bits)
      ++bits;
    return bits;
  }

  /// Shares out so many things in all rows, those of one thing side by side.
  template <typename Visit> void forEach(int64_t count, Visit visit) const {
    if (width == 1)
      part.shareOut(count, [&](int64_t number) { visit(number, 0); });
    else
      part.shareOut(count * width, [&](int64_t number) {
        visit(number / width, number % width);
      });
  }

  char *target(int64_t row, int64_t index) const {
    return indexedRows.all.get(2, row, indexedRows.bytes).at(index);
  }
  const char *source(int64_t row, int64_t index) const {
    return indexedRows.all.get(0, row, indexedRows.bytes).at(index);
  }

  template <typename KeyAt>
  [[gnu::always_inline]] void putLast(KeyAt keyAt) const {
    forEach(length, [&](int64_t at, int64_t row) {
      Key key = keyAt(at);
      if (key.order() == nowhere() ||
          (at + 1 < length && keyAt(at + 1).order() == key.order()))
        return;
      State last = move.begin(nullptr);
      move.take(last, source(row, key.position()));
      move.end(last, target(row, key.order()));
    });
  }

  /// A list of parts of sums.
  struct Parts {
    int64_t count;
    uint32_t *indices;
    State *sums;
  };
  static int64_t partsOf(int64_t count) {
    return 2 * ((count + tile - 1) / tile);
  }
  Parts makeParts(int64_t count, char *&memory) const {
    Parts parts = {count, nullptr, reinterpret_cast<State *>(memory)};
    memory += (count * width * int64_t(sizeof(State)) + 7) / 8 * 8;
    parts.indices = reinterpret_cast<uint32_t *>(memory);
    memory += (count * 4 + 7) / 8 * 8;
    return parts;
  }
  int64_t bytesOfParts() const {
    if constexpr (Move::keepsLast)
      return 0;
    int64_t most = partsOf(length), next = partsOf(most);
    return (most + next) * (width * int64_t(sizeof(State)) + 4) + 32;
  }

  template <typename KeyAt>
  [[gnu::always_inline]] void addAll(KeyAt keyAt, char *memory) const {
    Parts parts = makeParts(partsOf(length), memory);
    Parts next = makeParts(partsOf(parts.count), memory);
    addTiles(
        length, parts, [&](int64_t at) { return keyAt(at).order(); },
        [&](int64_t at, int64_t row) {
          return move.read(source(row, keyAt(at).position()));
        },
        [&](int64_t row, uint32_t index) {
          return move.begin(target(row, index));
        });
    for (int64_t count = length; count > tile;) {
      part.wait();
      count = parts.count;
      next.count = partsOf(count);
      addTiles(
          count, next, [&](int64_t at) { return parts.indices[at]; },
          [&](int64_t at, int64_t row) { return parts.sums[at * width + row]; },
          [](int64_t, uint32_t) { return Move::nothing(); });
      Parts last = parts;
      parts = next;
      next = last;
    }
  }

  /// Adds up each tile of a list. `begin` is what the sum of an index begins
  /// with. A thread has a tile of a row.
  template <typename IndexAt, typename ValueAt, typename Begin>
  [[gnu::always_inline]] void addTiles(int64_t count, const Parts &parts,
                                       IndexAt indexAt, ValueAt valueAt,
                                       Begin begin) const {
    forEach((count + tile - 1) / tile, [&](int64_t number, int64_t row) {
      addTile(count, number, row, parts, indexAt, valueAt, begin);
    });
  }

  template <typename IndexAt, typename ValueAt, typename Begin>
  [[gnu::always_inline]] void
  addTile(int64_t count, int64_t number, int64_t row, const Parts &parts,
          IndexAt indexAt, ValueAt valueAt, Begin begin) const {
    // As many are read before the first is needed.
    constexpr int32_t atOnce = 8;
    auto none = uint32_t(nowhere());
    int64_t first = number * tile, last = least(first + tile, count);
    uint32_t index = indexAt(first), indices[2] = {none, none};
    State sums[2] = {Move::nothing(), Move::nothing()};
    bool isOpen = first > 0 && index != none && indexAt(first - 1) == index;
    State sum = isOpen || index == none ? Move::nothing() : begin(row, index);
    auto close = [&] {
      if (isOpen) {
        indices[0] = index;
        sums[0] = sum;
      } else if (index != none) {
        move.end(sum, target(row, index));
      }
    };
    for (int64_t start = first; start < last; start += atOnce) {
      uint32_t nextIndices[atOnce];
      State values[atOnce];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i) {
        bool isThere = start + i < last;
        nextIndices[i] = isThere ? indexAt(start + i) : none;
        values[i] =
            nextIndices[i] != none ? valueAt(start + i, row) : Move::nothing();
      }
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i) {
        if (start + i >= last)
          continue;
        if (nextIndices[i] != index) {
          close();
          isOpen = false;
          index = nextIndices[i];
          sum = index == none ? Move::nothing() : begin(row, index);
        }
        sum += values[i];
      }
    }
    bool goesOn = last < count && index != none && indexAt(last) == index;
    if (!goesOn) {
      close();
    } else {
      // The part of a tile that is all of a sum adds nothing the second time.
      indices[1] = index;
      sums[1] = sum;
      if (isOpen) {
        indices[0] = index;
        sums[0] = sum;
        sums[1] = Move::nothing();
      }
    }
    for (int32_t i = 0; i < 2; ++i) {
      parts.indices[2 * number + i] = indices[i];
      parts.sums[(2 * number + i) * width + row] = sums[i];
    }
  }
};

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICESEGMENTS_H
